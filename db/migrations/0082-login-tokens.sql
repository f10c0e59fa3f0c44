-- A login token is a session token as well, in the browser whose cookie has this SHA-256 and nowhere else. Null for others.
alter table sessions add column browser_hash bytea check (octet_length(browser_hash) = 32);
create index sessions_by_browser on sessions (browser_hash) where browser_hash is not null;

-- Discord may redirect a browser twice, and a browser may repeat the redirect: a sign-in stays until it expires, with the
-- SHA-256 of the login token that it led to.
alter table sign_ins
  add column used_at timestamptz,
  add column login_hash bytea check (octet_length(login_hash) = 32);
