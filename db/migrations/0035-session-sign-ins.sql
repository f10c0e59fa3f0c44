-- The sign-in that a session token came from, as the SHA-256 of its login token. A browser that did not receive the first
-- token gets another one; tokens with the same sign-in are one session.
alter table sessions add column sign_in_hash bytea check (octet_length(sign_in_hash) = 32);
create index sessions_by_sign_in on sessions (sign_in_hash) where sign_in_hash is not null;
