/** A game of scripts. The path of its page, and how texts name it. */
export const gamePath = (gameId: string): string => `/games/${encodeURIComponent(gameId)}`

export const gameTitle = ({ game_id, name }: { game_id: string; name: string | null }): string =>
  name ?? `Game ${game_id}`
