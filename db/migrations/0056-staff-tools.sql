-- The portal finds members by the name that is displayed, too.
alter table members drop column search_key;
alter table members add column search_key text not null generated always as (
  search_key(username) || E'\n' || coalesce(search_key(email), '') || E'\n' || coalesce(search_key(display_name), '')) stored;
create index members_search on members using gin (search_key gin_trgm_ops);

-- Bans of persons without an account, newest first.
create index sanctions_without_account on sanctions (imposed_at desc, id desc)
  where kind = 'ban' and member_id is null and lifted_at is null;
