-- What is known of who publishes, and who may.
alter table api_tokens
  -- What the versions that a build publishes get as their provenance; null for a token that a member has created.
  add column provenance jsonb check (jsonb_typeof(provenance) = 'object'),
  -- The only scripts that a token which a member has created may change; null for all. Without a foreign key: ids are never
  -- used again, and a token for deleted scripts must not become one for all.
  add column script_ids integer[] check (cardinality(script_ids) > 0);

alter table scripts
  -- Only trusted builds may publish versions.
  add column only_builds boolean not null default false;
