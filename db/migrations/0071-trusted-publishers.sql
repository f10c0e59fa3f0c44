-- Builds of repositories that may publish versions of a script, without a stored token.
create table trusted_publishers (
  id integer generated always as identity primary key,
  script_id integer not null references scripts (id) on delete cascade,
  -- Address of the server with the repository, such as https://github.com.
  forge text not null check (length(forge) between 1 and 2048),
  repository text not null check (length(repository) between 3 and 255),
  -- Learned from the first build unless the author entered it, so that another repository of the same name is not trusted.
  repository_id text check (repository_id ~ '^[0-9]{1,20}$'),
  workflow text not null check (length(workflow) between 1 and 255),
  environment text check (length(environment) between 1 and 255),
  branch text check (length(branch) between 1 and 255),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create unique index trusted_publishers_once on trusted_publishers
  (script_id, forge, lower(repository), workflow, coalesce(environment, ''), coalesce(branch, ''));
create index trusted_publishers_by_repository on trusted_publishers (forge, lower(repository));

-- ID tokens that were exchanged: SHA-256 of issuer and `jti`. Each can be exchanged once.
create table used_id_tokens (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  expires_at timestamptz not null
);
create index used_id_tokens_expiry on used_id_tokens (expires_at);

-- The publishers to whose scripts a token is restricted; null for a token that a member has created.
alter table api_tokens add column publisher_ids integer[] check (cardinality(publisher_ids) > 0);
