-- The secret keys that may have encrypted a value in this database: an id derived from the key, and a text sealed with it,
-- which proves at the start of the site that it has the key.
create table secret_keys (
  id bytea primary key check (octet_length(id) = 8),
  sealed_check bytea not null,
  is_current boolean not null,
  created_at timestamptz not null default now()
);
create unique index secret_keys_current on secret_keys (is_current) where is_current;
