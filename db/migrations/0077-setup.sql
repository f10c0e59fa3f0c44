-- The setup of a new site by its owner. At most one row: each start of a site without an admin makes a new link.
create table setup (
  id smallint primary key default 1 check (id = 1),
  -- Rises with each change, for the other processes.
  version integer not null default 1,
  -- SHA-256 of the token in the link.
  token_hash bytea not null check (length(token_hash) = 32),
  finished_at timestamptz,
  -- Whether the owner wants no more links.
  is_skipped boolean not null default false,
  -- Used unless the settings have others.
  discord_client_id text check (discord_client_id ~ '^[0-9]{15,25}$'),
  sealed_discord_secret bytea,
  -- Becomes an admin at the next sign-in.
  admin_discord_id text check (admin_discord_id ~ '^[1-9][0-9]{0,19}$'),
  -- Absolute path of the folder with the backups.
  backup_target text check (length(backup_target) between 1 and 1024),
  check ((discord_client_id is null) = (sealed_discord_secret is null))
);
