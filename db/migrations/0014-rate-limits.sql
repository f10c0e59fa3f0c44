-- Calls counted lately, shared by all processes. The columns are those of the library that writes them; `expire` is in
-- milliseconds since 1970. Unlogged: a crash forgets the counts, and nothing else depends on them.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_age on rate_limits (expire);
