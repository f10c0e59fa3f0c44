-- The scripts that a webhook is limited to. A webhook without a row receives events of all scripts of its owner. Scripts that were
-- deleted stay in the list, so that the last one's deletion does not open the webhook to all. On a new database this runs before
-- the table of webhooks exists, so webhook_id is no foreign key: a webhook is deleted with its row, or by its owner's deletion.
create table webhook_scripts (
  webhook_id integer primary key,
  owner_id integer not null references members (id) on delete cascade,
  script_ids integer[] not null check (cardinality(script_ids) between 1 and 50)
);
create index webhook_scripts_by_owner on webhook_scripts (owner_id);
