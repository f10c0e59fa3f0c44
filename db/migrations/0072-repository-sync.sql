-- Repositories whose pushes update scripts of their owner.
create table repository_connections (
  id integer generated always as identity primary key,
  owner_id integer not null references members (id) on delete cascade,
  -- Part of the URL that receives pushes.
  key uuid not null unique default gen_random_uuid(),
  -- Address of the server with the repository, such as https://github.com.
  forge text not null check (length(forge) between 1 and 2048),
  repository text not null check (length(repository) between 3 and 255),
  -- Learned from the first push, so that another repository of the same name is not trusted.
  repository_id text check (repository_id ~ '^[0-9]{1,20}$'),
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  last_received_at timestamptz
);
create unique index repository_connections_once on repository_connections (owner_id, forge, lower(repository));

-- Ids of the deliveries that were received, because servers repeat them.
create table repository_deliveries (
  connection_id integer not null references repository_connections (id) on delete cascade,
  delivery text not null check (length(delivery) between 1 and 200),
  received_at timestamptz not null default now(),
  primary key (connection_id, delivery)
);
create index repository_deliveries_by_time on repository_deliveries (received_at);

-- The file that is the code of a script.
create table repository_sources (
  script_id integer primary key references scripts (id) on delete cascade,
  connection_id integer not null references repository_connections (id) on delete cascade,
  branch text not null check (length(branch) between 1 and 255),
  pattern text not null check (length(pattern) between 1 and 200),
  -- The newest known push to the branch: its commits before and after, and its time. Pushes may arrive in another order.
  head_before text,
  head_commit text,
  head_pushed_at timestamptz,
  -- Time of the newest push that changed the file.
  changed_at timestamptz,
  created_at timestamptz not null default now()
);
create index repository_sources_by_connection on repository_sources (connection_id);

-- The log: one row per script and push that changed its file, inserted when the push is received.
create table repository_syncs (
  id bigint generated always as identity primary key,
  script_id integer not null references repository_sources (script_id) on delete cascade,
  reason text not null check (reason in ('push', 'manual')),
  -- Null until the end of the branch was looked up.
  commit text,
  path text,
  changelog text,
  state text not null default 'waiting' check (state in ('waiting', 'published', 'unchanged', 'skipped', 'failed')),
  error text,
  version_number integer,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index repository_syncs_by_script on repository_syncs (script_id, id);
create index repository_syncs_by_time on repository_syncs (created_at);
