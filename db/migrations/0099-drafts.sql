-- compatible: yes
-- Scripts and changes that members have not published yet. Only their author reads them.
create table drafts (
  member_id integer not null references members on delete cascade,
  -- The idempotency key with which a new script is published, or the id of the script that is changed.
  key text not null,
  script_id integer references scripts on delete cascade,
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  updated_at timestamptz not null,
  primary key (member_id, key),
  constraint draft_has_its_key check (case when script_id is null then key ~ '^[0-9a-f]{32}$' else key = script_id::text end)
);
comment on table drafts is 'What members write in the forms of scripts, so that it follows them to another device.';
create index drafts_by_script on drafts (script_id) where script_id is not null;
create index drafts_by_time on drafts (updated_at);
