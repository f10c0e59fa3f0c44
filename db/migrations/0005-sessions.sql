-- Who is signed in. A token itself is never kept, only its SHA-256.
create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  member_id integer not null references members (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index sessions_by_member on sessions (member_id);
create index sessions_age on sessions (last_used_at);
