-- What members need to recognize a session and to end it. The id is random, because it is shown; the device is a browser
-- and an operating system ('Firefox on Windows'), not the browser's whole user agent.
alter table sessions
  add column id uuid not null default gen_random_uuid() unique,
  add column device text not null default '' check (length(device) <= 60);
