-- Tokens by which programs act for a member. The token itself is not stored, only its SHA-256.
create table api_tokens (
  id uuid primary key default gen_random_uuid(),
  member_id integer not null references members (id) on delete cascade,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  name text not null check (length(name) between 1 and 60),
  -- The last characters, by which people recognize a token.
  hint text not null check (length(hint) = 4),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Written at most once a minute.
  last_used_at timestamptz
);
create index api_tokens_member on api_tokens (member_id);
create index api_tokens_expiry on api_tokens (expires_at);
