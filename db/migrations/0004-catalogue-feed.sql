-- What changed in the catalogue. Readers take rows of finished transactions only, in the order (transaction, sequence):
-- a row below pg_snapshot_xmin can have no later neighbour, so none is ever missed.
create table catalogue_changes (
  transaction_id xid8 not null default pg_current_xact_id(),
  sequence bigint generated always as identity,
  script_id integer not null,
  changed_at timestamptz not null default now(),
  primary key (transaction_id, sequence)
);
create index catalogue_changes_age on catalogue_changes (changed_at);

create function note_scripts(ids integer[]) returns void language sql as $$
  insert into catalogue_changes (script_id) select distinct unnest(ids);
$$;

create function note_new_scripts() returns trigger language plpgsql as $$
begin
  perform note_scripts(array_agg(id)) from changed having count(*) > 0;
  return null;
end $$;
create function note_script_parts() returns trigger language plpgsql as $$
begin
  perform note_scripts(array_agg(script_id)) from changed having count(*) > 0;
  return null;
end $$;
create function note_author() returns trigger language plpgsql as $$
begin
  perform note_scripts(array_agg(s.id)) from changed c join former f on f.id = c.id join scripts s on s.author_id = c.id
    where (c.username, c.slug, c.display_name, c.avatar, c.discriminator, c.profile_image, c.banned_until)
      is distinct from (f.username, f.slug, f.display_name, f.avatar, f.discriminator, f.profile_image, f.banned_until)
    having count(*) > 0;
  return null;
end $$;

create trigger scripts_inserted after insert on scripts referencing new table as changed for each statement execute function note_new_scripts();
create trigger scripts_updated after update on scripts referencing new table as changed for each statement execute function note_new_scripts();
create trigger scripts_deleted after delete on scripts referencing old table as changed for each statement execute function note_new_scripts();
create trigger stats_updated after update on script_stats referencing new table as changed for each statement execute function note_script_parts();
create trigger tags_inserted after insert on script_tags referencing new table as changed for each statement execute function note_script_parts();
create trigger tags_deleted after delete on script_tags referencing old table as changed for each statement execute function note_script_parts();
create trigger author_updated after update on members referencing old table as former new table as changed for each statement execute function note_author();
