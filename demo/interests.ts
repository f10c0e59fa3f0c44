// What members saved and whom they follow. Lists are private; their counts are public.

/** The scripts that each member has among the favorites, by file without extension. */
export const demoFavorites: Record<string, string[]> = {
  ada: ['signal', 'loot-table', 'spring', 'camera-shake', 'leaderstats-store', 'wave-spawner'],
  lin: ['spring', 'toast-stack', 'tooltip', 'signal'],
  kestrel: ['spring', 'camera-shake', 'ray-gizmos'],
  jurgen: ['signal', 'double-jump', 'sprint-stamina'],
  noor: ['signal', 'promise-lite', 'spring', 'state-machine'],
  pixel: ['spring', 'settings-menu', 'draggable-window'],
  theodora: ['spring', 'camera-shake', 'state-machine'],
  bram: ['tooltip', 'wave-spawner'],
  quill: ['signal', 'janitor', 'state-machine', 'table-tools', 'promise-lite', 'spring'],
  mango: ['double-jump', 'air-dash', 'grid-inventory', 'toast-stack'],
  ivo: ['first-person-bob', 'camera-shake', 'day-night-cycle', 'typewriter'],
  renata: ['settings-menu', 'performance-overlay', 'camera-shake', 'sprint-stamina'],
  halfcourt: ['spring', 'double-jump', 'round-system', 'leaderstats-store'],
  wren: ['signal', 'tic-tac-toe', 'obby-checkpoints', 'instance-tree', 'leaderstats-store'],
}

/** The authors whom each member follows. */
export const demoFollows: Record<string, string[]> = {
  ada: ['kestrel', 'jurgen', 'noor'],
  kestrel: ['jurgen'],
  jurgen: ['kestrel', 'theodora'],
  noor: ['kestrel'],
  pixel: ['jurgen', 'ada'],
  theodora: ['jurgen'],
  quill: ['kestrel', 'noor', 'ada'],
  mango: ['theodora', 'pixel'],
  ivo: ['jurgen', 'ada'],
  renata: ['pixel', 'kestrel'],
  halfcourt: ['theodora', 'noor', 'jurgen'],
  wren: ['kestrel', 'bram', 'pixel'],
}

/** The scripts whose new versions each member is notified of, by file without extension. */
export const demoWatches: Record<string, string[]> = {
  ada: ['signal', 'leaderstats-store'],
  noor: ['signal'],
  halfcourt: ['lobby-pads', 'round-system'],
  ivo: ['camera-shake'],
  wren: ['signal', 'obby-checkpoints'],
}
