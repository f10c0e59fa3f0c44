-- Runs of the scheduled base backup of a WAL archive are recorded beside those of the full backup.
alter table backups add column kind text not null default 'full' check (kind in ('full', 'base'));
