-- The scripts that a webhook is limited to; null for all of its owner. Deleted scripts stay in the list, so that the deletion of the
-- last one does not open the webhook to all.
alter table webhooks add column script_ids integer[]
  check (script_ids is null or cardinality(script_ids) between 1 and 50 and owner_id is not null);
