/** Names of the behavior card. It imports no schema library: the browser downloads this file. */

/** What a script can do, with the label of a finding. The ids are stable; `packages/luau-behavior` finds them. */
export const CAPABILITIES = {
  'net.get': 'Reads from the internet',
  'net.send': 'Sends data to the internet',
  'net.webhook': 'Sends messages to a chat or a collector of data',
  'net.exfiltration': 'Sends data about the player',
  'net.socket': 'Keeps a connection to a server open',
  'code.remote': 'Runs code that it downloads',
  'code.dynamic': 'Runs code that is put together while it runs',
  'code.asset': 'Runs code or loads models from Roblox assets',
  'code.persist': 'Runs again after a teleport or a restart',
  'fs.read': 'Reads files of the executor',
  'fs.write': 'Writes files of the executor',
  'fs.delete': 'Deletes files of the executor',
  'user.clipboard': 'Changes the clipboard',
  'user.identity': 'Identifies the device or the network',
  'user.input': 'Presses keys or moves the mouse',
  'user.purchase': 'Asks to buy something',
  'user.key': 'Asks for a key',
  'game.remote': 'Sends commands to the game server',
  'game.teleport': 'Takes the player to another place or server',
  'game.chat': 'Writes in the chat',
  'game.kick': 'Disconnects the player',
  'client.hook': 'Replaces functions of the game or of Roblox',
  'client.inspect': 'Reads the memory and the code of the game',
  'needs.executor': 'Needs an executor',
  'shape.obfuscated': 'Hides its code',
  'shape.minified': 'Is minified',
  'shape.secret': 'Contains a secret',
} as const
export type CapabilityId = keyof typeof CAPABILITIES
export const CAPABILITY_IDS = Object.keys(CAPABILITIES) as CapabilityId[]

/** The capabilities that a declaration is asked about. Others are declared only if the author lists them. */
export const ASKED_CAPABILITIES = [
  'net.get',
  'net.send',
  'net.webhook',
  'net.exfiltration',
  'code.remote',
  'fs.write',
  'user.key',
  'shape.obfuscated',
] as const satisfies CapabilityId[]

/** `code`: call and arguments are seen in the code. `likely`: the call is certain, an argument is not. `run`: seen when run. */
export const CERTAINTIES = ['code', 'likely', 'run'] as const
export type Certainty = (typeof CERTAINTIES)[number]

/** `pending`: not run yet; has what reading the code has found. `failed`: neither reading nor running was possible. */
export const BEHAVIOR_STATUSES = ['pending', 'ready', 'failed'] as const
export type BehaviorStatus = (typeof BEHAVIOR_STATUSES)[number]

export const MAX_DECLARED_HOSTS = 50
export const MAX_HOST_LENGTH = 253
