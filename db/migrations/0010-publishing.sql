-- What a member published under an idempotency key, kept for a day, so that a repeated request finds the script that the
-- first one made. The script is named without a foreign key: deleted meanwhile, it is still not made a second time.
create table publish_keys (
  member_id integer not null references members (id) on delete cascade,
  key text collate "C" not null check (key ~ '^[!-~]{1,100}$'),
  body_sha256 bytea not null check (octet_length(body_sha256) = 32),
  -- Null only inside the transaction that makes the script.
  script_id integer,
  title text,
  created_at timestamptz not null default now(),
  primary key (member_id, key)
);
create index publish_keys_age on publish_keys (created_at);
