-- URLs that receive events. Owner null: of the site.
create table webhooks (
  id integer generated always as identity primary key,
  owner_id integer references members (id) on delete cascade,
  -- A URL can be a credential, as Discord's are.
  sealed_url bytea not null,
  format text not null check (format in ('json', 'discord')),
  events text[] not null check (cardinality(events) between 1 and 20),
  sealed_secret bytea not null,
  -- After a rotation both secrets sign for a while.
  sealed_former_secret bytea,
  former_secret_until timestamptz,
  last_succeeded_at timestamptz,
  -- First failure since the last success.
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('owner', 'failures', 'gone')),
  created_at timestamptz not null default now(),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((sealed_former_secret is null) = (former_secret_until is null))
);
create index webhooks_by_owner on webhooks (owner_id);

-- What happened, as the JSON text that is sent. Deleted with the member who did it and with the script's author.
create table webhook_events (
  id bigint generated always as identity primary key,
  key uuid not null unique default gen_random_uuid(),
  type text not null,
  actor_id integer references members (id) on delete cascade,
  author_id integer references members (id) on delete cascade,
  body text not null,
  created_at timestamptz not null default now()
);
create index webhook_events_by_actor on webhook_events (actor_id);
create index webhook_events_by_author on webhook_events (author_id);

-- The outbox and the log: one row per webhook and event, inserted in the transaction of the event.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id integer not null references webhooks (id) on delete cascade,
  event_id bigint not null references webhook_events (id) on delete cascade,
  -- Deliveries of a webhook with the same lane are sent in the order of their ids: the script's id, 0 for other events.
  lane integer not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- While an attempt runs, the time at which its process counts as dead.
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  attempted_at timestamptz,
  status integer,
  duration_ms integer,
  error text,
  response text
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at) where state = 'waiting';
create index webhook_deliveries_lanes on webhook_deliveries (webhook_id, lane, id) where state = 'waiting';
create index webhook_deliveries_log on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_by_event on webhook_deliveries (event_id);
create index webhook_deliveries_by_time on webhook_deliveries (created_at);
