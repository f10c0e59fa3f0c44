// What a script can do. The ids are stable. A title is a sentence without a subject and a period that starts with a verb, and
// names the player where it is about the person who runs the script. Browsers download this file: it imports nothing.
export const CAPABILITIES = {
  'net.get': 'Downloads data from the internet',
  'net.send': 'Sends data to the internet',
  'net.webhook': 'Sends messages to a webhook',
  'net.exfiltration': 'Sends data about the player',
  'net.socket': 'Keeps a connection to a server open',
  'code.remote': 'Runs downloaded code',
  'code.dynamic': 'Runs code it builds from text',
  'code.asset': 'Loads models or code from Roblox',
  'code.persist': 'Runs again after a teleport or restart',
  'fs.read': 'Reads files',
  'fs.write': 'Saves files',
  'fs.delete': 'Deletes files',
  'user.clipboard': 'Changes the clipboard',
  'user.identity': 'Identifies the device or network',
  'user.input': 'Controls the keyboard or mouse',
  'user.purchase': 'Asks to buy something',
  'user.key': 'Asks for a key',
  'game.remote': 'Sends commands to the game server',
  'game.teleport': 'Takes the player to another place or server',
  'game.chat': 'Sends chat messages',
  'game.kick': 'Disconnects the player from the game',
  'client.hook': 'Replaces functions of the game',
  'client.inspect': 'Reads game memory and code',
  'needs.executor': 'Needs an executor',
  'shape.obfuscated': 'Hides its code',
  'shape.minified': 'Has minified code',
  'shape.secret': 'Exposes a secret',
} as const

/** Reasons in `opaque` that go with findings: that code is run is known, what it does is not. */
export const OPAQUE = {
  downloaded: 'What the code does that it downloads',
  dynamic: 'What the code does that it puts together while it runs',
} as const

/** Reasons in `opaque` for which most of a script was not looked into. */
export const UNREAD = {
  syntax: 'The code was searched word by word, because it could not be read as Luau',
  nesting: 'The code was searched word by word, because it is nested too deeply',
  limit: 'The script is too large to be followed completely',
  obfuscated: 'Obfuscated code',
  failed: 'The code could not be read',
} as const

/** Reasons in `opaque` for which a run did not come to its end. */
export const STOPPED = {
  time: 'The run was stopped because it took too long',
  memory: 'The run was stopped because it used too much memory',
  events: 'The run was stopped because it did more than 3,000 things',
  crash: 'The run ended unexpectedly',
  compile: 'The script does not compile and was not run',
} as const

export type CapabilityId = keyof typeof CAPABILITIES

/** `code`: seen in the code, call and arguments. `likely`: the call is certain, an argument is not. `run`: seen when run. */
export type Certainty = 'code' | 'likely' | 'run'

export interface Evidence {
  /** Lines of the script, from 1. */
  line: number
  endLine: number
  /** The code, at most 200 characters, with secrets masked. */
  excerpt: string
  /** What was called with what, in a few words. */
  detail: string
}

export interface Finding {
  id: CapabilityId
  certainty: Certainty
  /** At most 20. */
  evidence: Evidence[]
  /** Number of all pieces of evidence. */
  count: number
}
