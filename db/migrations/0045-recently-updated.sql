-- Lists sorted by "Recently Updated" while SQL answers, as scripts_created serves those sorted by "Date Added".
create index scripts_updated on scripts (updated_at desc, id desc) where is_public;
