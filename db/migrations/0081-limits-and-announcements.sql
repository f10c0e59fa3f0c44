-- When a person, or another client that the key names, used what is limited in a time. Independent of what was made, so
-- deleting a comment or an account renews no limit. Rows are deleted after the limit's time.
create table limit_uses (
  name text not null,
  -- The id of a person, or a keyed hash.
  key text not null,
  uses timestamptz[] not null,
  expires_at timestamptz not null,
  primary key (name, key)
);

-- The limit of uploads belongs to the person, too.
create table person_uploads (
  person_id integer not null references persons (id) on delete cascade,
  day date not null,
  bytes bigint not null check (bytes >= 0),
  primary key (person_id, day)
);
insert into person_uploads (person_id, day, bytes) select person_of(member_id), day, bytes from upload_usage;
drop table upload_usage;
alter table person_uploads rename to upload_usage;
alter table upload_usage rename constraint person_uploads_pkey to upload_usage_pkey;
alter table upload_usage rename constraint person_uploads_person_id_fkey to upload_usage_person_id_fkey;
alter table upload_usage rename constraint person_uploads_bytes_check to upload_usage_bytes_check;
create index upload_usage_day on upload_usage (day);

alter table comments
  -- The comment that a reply answers, which may be a reply itself. Null if it is deleted.
  add column replied_to_id integer references comments (id) on delete set null,
  -- The mentioned members that were notified of the comment. Null until everyone could see it for the first time.
  add column announced_to integer[] default '{}';
alter table comments alter column announced_to drop default;
create index comments_replied_to on comments (replied_to_id) where replied_to_id is not null;
update comments set announced_to = mentions where mentions <> '{}' and not is_pending;
update comments set announced_to = null, replied_to_id = parent_id where is_pending;

-- The version that was announced last when moderators hid the script. Later ones are announced when it is visible again.
alter table scripts add column hidden_version integer;
