/** Anybody may call; nothing is known of who it is. */
export const visitor = () => undefined
