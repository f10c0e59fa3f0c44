-- Named lists of scripts in their owner's order, private or public.
create table collections (
  id integer generated always as identity primary key,
  owner_id integer not null references members (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  description text check (char_length(description) between 1 and 500),
  is_public boolean not null default false,
  -- Of all items, also of scripts that are not public any more.
  item_count integer not null default 0 check (item_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index collections_by_owner on collections (owner_id, updated_at desc, id desc);

create table collection_items (
  collection_id integer not null references collections (id) on delete cascade,
  script_id integer not null references scripts (id) on delete cascade,
  -- Ascending; has gaps after a removal.
  position integer not null,
  note text check (char_length(note) between 1 and 300),
  added_at timestamptz not null default now(),
  primary key (collection_id, script_id)
);
create index collection_items_by_script on collection_items (script_id);

-- Triggers, so that deleted scripts are counted too. Collections are locked in the order of their ids to avoid deadlocks.
create function count_collection_items() returns trigger language plpgsql as $$
begin
  perform from collections where id in (select collection_id from changed) order by id for update;
  update collections c set updated_at = now(), item_count = c.item_count + n.number
    from (select collection_id, (case when tg_op = 'INSERT' then 1 else -1 end) * count(*) as number
      from changed group by collection_id) n where c.id = n.collection_id;
  return null;
end $$;
create trigger collection_items_inserted after insert on collection_items referencing new table as changed
  for each statement execute function count_collection_items();
create trigger collection_items_deleted after delete on collection_items referencing old table as changed
  for each statement execute function count_collection_items();

-- A page shows the collection, so each change is in the change feed as script 0.
create function note_collections() returns trigger language plpgsql as $$
begin
  perform note_scripts(array[0]) from changed limit 1;
  return null;
end $$;
create trigger collections_inserted after insert on collections referencing new table as changed
  for each statement execute function note_collections();
create trigger collections_updated after update on collections referencing new table as changed
  for each statement execute function note_collections();
create trigger collections_deleted after delete on collections referencing old table as changed
  for each statement execute function note_collections();
create trigger collection_items_updated after update on collection_items referencing new table as changed
  for each statement execute function note_collections();
