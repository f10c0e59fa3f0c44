/** Origins of a value, as bits. */
export const ORIGIN = {
  network: 1 << 0,
  file: 1 << 1,
  playerName: 1 << 2,
  displayName: 1 << 3,
  userId: 1 << 4,
  accountAge: 1 << 5,
  character: 1 << 6,
  serverId: 1 << 7,
  machineId: 1 << 8,
  ipAddress: 1 << 9,
  cookie: 1 << 10,
  machine: 1 << 11,
  clipboard: 1 << 12,
  /** May be the environment or a dangerous function, by a way that was not followed. */
  hidden: 1 << 13,
  /** May be the game, a service or a member of one. */
  service: 1 << 14,
} as const

export const PLAYER_DATA: readonly (readonly [bit: number, words: string])[] = [
  [ORIGIN.playerName, 'the player name'],
  [ORIGIN.displayName, 'the display name'],
  [ORIGIN.userId, 'the user id'],
  [ORIGIN.accountAge, 'the account age'],
  [ORIGIN.character, 'the character'],
  [ORIGIN.serverId, 'the server id (JobId)'],
  [ORIGIN.machineId, 'the hardware id'],
  [ORIGIN.ipAddress, 'the IP address'],
  [ORIGIN.cookie, 'the Roblox cookie'],
  [ORIGIN.machine, 'details of the device'],
]

export const PLAYER_BITS = PLAYER_DATA.reduce((bits, [bit]) => bits | bit, 0)

/** Of values that may be a function which does something outside of the script. */
export const POWERS = ORIGIN.hidden | ORIGIN.service
