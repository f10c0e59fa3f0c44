-- Indexes for reads of members with much data.

-- What decides whether and where a favorite is listed, without reading the rows of scripts.
create index scripts_visibility on scripts (id) include (author_id, is_public, updated_at, title_key);

-- The newest broadcasts of each followed author and watched script, without reading their rows.
create index broadcasts_to_followers on broadcasts (author_id, id desc) include (created_at) where audience = 'followers';
create index broadcasts_to_watchers on broadcasts (script_id, id desc) include (created_at, author_id)
  where audience = 'watchers';

-- All comments of a script: their count, and the deletion of a script with the replies below it.
create index comments_by_script on comments (script_id);
