-- Members from a data dump of another site have no Discord account here, because dumps name none. They can't sign in until an
-- operator links a Discord account.
alter table members alter column discord_id drop not null;
