-- Runs of the scheduled backup. The backups themselves are in the folder of the setting BACKUP_TARGET.
create table backups (
  id integer generated always as identity primary key,
  -- Name of the folder.
  name text not null,
  started_at timestamptz not null default now(),
  seconds double precision check (seconds >= 0),
  bytes bigint check (bytes >= 0),
  -- When it was restored into another database and was equal.
  verified_at timestamptz,
  error text check (length(error) between 1 and 500),
  -- When the admins were notified of the error.
  notified_at timestamptz
);
create index backups_by_time on backups (started_at);
