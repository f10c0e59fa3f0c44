-- Mutes that were running when their member deleted the account, until they end: who signs in again is muted still. The
-- person is known by a hash that only the site's secret key can make of their Discord id.
create table kept_mutes (
  discord_hash bytea primary key check (octet_length(discord_hash) = 32),
  muted_until timestamptz not null
);
