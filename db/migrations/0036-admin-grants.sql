-- Discord accounts that got the admin role because ADMIN_DISCORD_IDS lists them. Each gets it once, so a demotion lasts. The
-- start deletes rows that the setting no longer lists.
create table admin_grants (
  discord_id text primary key,
  granted_at timestamptz not null default now()
);
-- Until now every sign-in granted the role: admins have it, and demoted ones must not get it again.
insert into admin_grants (discord_id)
  select discord_id from members m where is_admin
    or exists (select from audit_log where action = 'remove_admin' and subject_type = 'member' and subject_id = m.id);
