-- Hashes by which copies of code are found, and removed code is recognized. The earliest version of a content is read from an
-- index: popular code has thousands of copies.
create index script_versions_by_content_and_time on script_versions (sha256, created_at, script_id);
drop index script_versions_by_content;
create table code_hashes (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  token_sha256 text check (token_sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now()
);
comment on table code_hashes is
  'Hash of the tokens of each content in script_versions; null for code that is too short to be compared by its tokens.';
create index code_hashes_by_tokens on code_hashes (token_sha256) where token_sha256 is not null;

create table withdrawn_code (
  kind text not null check (kind in ('bytes', 'tokens')),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  script_id integer not null,
  withdrawn_at timestamptz not null default now(),
  primary key (kind, sha256, script_id)
);
comment on table withdrawn_code is
  'Hashes of code that moderators removed, with the script, which may be deleted. The code cannot be published again.';
create index withdrawn_code_by_script on withdrawn_code (script_id);

create table copy_notices (
  original_id integer not null references scripts (id) on delete cascade,
  copy_id integer not null references scripts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (original_id, copy_id)
);
comment on table copy_notices is 'Copies that the author of the original was notified of.';
create index copy_notices_by_copy on copy_notices (copy_id);
