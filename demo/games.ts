/** Names of the games that demo scripts are made for, by their ids. One has none. */
export const demoGames: ReadonlyMap<string, string> = new Map([
  ['1000000058', 'Skyline Obby'],
  ['1000000077', 'Brain Break Arcade'],
  ['1000000302', 'Last Light: Survival'],
  ['1000000119', 'Portal Plaza'],
  ['1000000417', 'Ember Arena'],
])
