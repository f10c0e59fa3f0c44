-- compatible: yes
-- Documents that were made by an earlier rule of what a word is. A scheduled job makes them again; new ones are current.
alter table script_search add column is_outdated boolean not null default true;
alter table script_search alter column is_outdated set default false;
create index script_search_outdated on script_search (script_id) where is_outdated;
