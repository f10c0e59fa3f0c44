-- compatible: yes
-- What admins decide about versions that wait.
create table hold_settings (
  id smallint primary key default 1 check (id = 1),
  -- Null: the setting HOLD_HOURS.
  hold_hours smallint check (hold_hours between 0 and 168)
);
comment on table hold_settings is 'How long versions wait after their author has confirmed them, as admins chose it: one row or none.';

-- Pages name the version that waits, so they change with its state.
create trigger versions_updated after update on script_versions
  referencing new table as changed for each statement execute function record_changed_script_parts();

alter table emails drop constraint emails_kind_check,
  add constraint emails_kind_check check (kind in ('confirmation', 'address_changed', 'digest', 'sign_in', 'decision', 'version_held'));
create index emails_about_holds on emails (member_id, created_at) where kind = 'version_held';

create index script_versions_held on script_versions (state_since, script_id) where state = 'held';
