-- Where members receive email, and what. Members without a row receive none.
create table email_addresses (
  member_id integer primary key references members (id) on delete cascade,
  -- Null until the first one is confirmed.
  address text check (length(address) between 3 and 254),
  confirmed_at timestamptz,
  -- Since when nothing is sent, because its mail server rejected it permanently.
  bounced_at timestamptz,
  digest text not null default 'weekly' check (digest in ('off', 'daily', 'weekly')),
  -- The last digest had the notifications up to this time.
  digested_to timestamptz not null default now(),
  -- Null if no digest is sent.
  next_digest_at timestamptz,
  sign_ins boolean not null default true,
  decisions boolean not null default true,
  check ((address is null) = (confirmed_at is null))
);
create index email_digests_due on email_addresses (next_digest_at) where next_digest_at is not null;

-- Addresses that wait for a click on the link in an email, for 24 hours. The token in the link is not stored, only its SHA-256.
create table email_confirmations (
  member_id integer primary key references members (id) on delete cascade,
  address text not null check (length(address) between 3 and 254),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null default now()
);

-- The outbox, and the log of the last 30 days. Inserted in the transaction of the cause, with a job that sends it.
create table emails (
  -- Part of the Message-ID, by which bounces name the email.
  id uuid primary key default gen_random_uuid(),
  member_id integer not null references members (id) on delete cascade,
  kind text not null check (kind in ('confirmation', 'address_changed', 'digest', 'sign_in', 'decision')),
  address text not null,
  -- Subject and blocks; null once it is not waiting, and for confirmations, whose link is a secret.
  content jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'canceled')),
  -- What the mail server said.
  response text,
  created_at timestamptz not null default now(),
  done_at timestamptz
);
create index emails_by_member on emails (member_id, created_at);
create index emails_confirmations on emails (address, created_at) where kind = 'confirmation';
create index emails_by_time on emails (created_at);

-- From where members with an email address have signed in: a keyed hash of browser, system and network.
create table known_devices (
  member_id integer not null references members (id) on delete cascade,
  device_hash bytea not null check (octet_length(device_hash) = 32),
  seen_at timestamptz not null default now(),
  primary key (member_id, device_hash)
);
create index known_devices_by_time on known_devices (seen_at);
