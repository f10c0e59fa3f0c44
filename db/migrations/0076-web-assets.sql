-- compatible: yes

-- Files of the web app of all versions that ran lately, by their hashed names. Pages that are open when the site is updated ask
-- for files of the version before, and with several machines any of them may get the request. Unlogged, because every start
-- writes its own files again.
create unlogged table web_assets (
  name text primary key,
  content bytea not null,
  -- When a site without this file started; null for those of the current version.
  retired_at timestamptz
);
