-- What code does: one card per content and version of the analyzer, shared by all scripts with the same code.
create table behavior_cards (
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  analyzer_version integer not null check (analyzer_version > 0),
  status text not null check (status in ('pending', 'ready', 'failed')),
  compiles boolean,
  -- { line, column, message } of the compiler's first error.
  compile_error jsonb,
  -- The ids found, without evidence, and the hosts, for changes between versions and for searching.
  capabilities text[] not null default '{}',
  hosts text[] not null default '{}',
  -- { capabilities, hosts, obfuscator, opaque } with evidence.
  card jsonb not null default '{}',
  created_at timestamptz not null default now(),
  analyzed_at timestamptz,
  primary key (sha256, analyzer_version)
);

-- What the author says about a version. Null: not asked, as for all versions before this migration.
alter table script_versions
  add column declared_capabilities text[],
  add column declared_hosts text[];
create index script_versions_by_content on script_versions (sha256);

-- The card of a script's current version as lists and the index need it. Without a row, nothing is known yet.
create table script_behaviors (
  script_id integer primary key references scripts (id) on delete cascade,
  sha256 text not null,
  analyzer_version integer not null,
  status text not null check (status in ('pending', 'ready', 'failed')),
  compiles boolean,
  capabilities text[] not null default '{}',
  hosts text[] not null default '{}',
  updated_at timestamptz not null default now()
);
create index script_behaviors_by_analyzer on script_behaviors (analyzer_version, script_id);
create index script_behaviors_hosts on script_behaviors using gin (hosts);

create trigger script_behaviors_inserted after insert on script_behaviors referencing new table as changed
  for each statement execute function note_script_parts();
create trigger script_behaviors_updated after update on script_behaviors referencing new table as changed
  for each statement execute function note_script_parts();
create trigger script_behaviors_deleted after delete on script_behaviors referencing old table as changed
  for each statement execute function note_script_parts();

-- Hosts that scripts contact, since when, and what moderators say about them.
create table behavior_hosts (
  host text primary key check (length(host) between 1 and 253),
  first_seen_at timestamptz not null default now(),
  kind text check (kind in ('collector', 'known')),
  marked_by integer references members (id) on delete set null,
  marked_at timestamptz
);
