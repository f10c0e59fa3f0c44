import type { CapabilityId, Certainty } from '#contract/behavior-names.ts'

/** How much a finding matters to a person who is about to run the script. It is shown as words, an icon and a color. */
export type Level = 'warning' | 'notice' | 'plain'

interface CapabilityText {
  level: Level
  /** What that means, and when it is normal. */
  explanation: string
}

/** What findings mean to visitors. Their titles are in `CAPABILITY_TITLES`. */
export const CAPABILITY_TEXTS: Record<CapabilityId, CapabilityText> = {
  'net.exfiltration': {
    level: 'warning',
    explanation:
      'It sends your name, user ID, device or something else about you to a server outside of Roblox. The owner of the server can store it and connect it with your account.',
  },
  'net.webhook': {
    level: 'warning',
    explanation:
      'It posts to a URL that receives messages, such as a Discord webhook. Authors use it to see who runs the script. Thieves use it to receive stolen data.',
  },
  'net.send': {
    level: 'notice',
    explanation: 'It sends a request with content to a server. The code below shows which content, if it can be seen.',
  },
  'net.socket': {
    level: 'notice',
    explanation: 'While the script runs, the server can send it messages at any time, and receive some.',
  },
  'net.get': {
    level: 'plain',
    explanation: 'It asks a server for something, such as a list or settings. The server sees your IP address.',
  },
  'code.remote': {
    level: 'warning',
    explanation:
      'The code that really runs is on another server. Its owner can change it at any time, and it is not part of what you see here. We cannot say what it does.',
  },
  'code.dynamic': {
    level: 'notice',
    explanation: "It builds code from text and runs it, so the source doesn't show everything.",
  },
  'code.asset': {
    level: 'notice',
    explanation: 'It loads an asset by its number. The owner of the asset can change it later.',
  },
  'code.persist': {
    level: 'notice',
    explanation: 'It puts itself or other code where your executor starts it again without asking you.',
  },
  'fs.delete': {
    level: 'notice',
    explanation: "It deletes files in your executor's folder. Other scripts may have saved theirs there.",
  },
  'fs.write': {
    level: 'notice',
    explanation: "It saves files in your executor's folder, often its settings.",
  },
  'fs.read': {
    level: 'plain',
    explanation: "It reads files in your executor's folder, often its own settings.",
  },
  'user.identity': {
    level: 'warning',
    explanation:
      'It reads an ID of your device or looks up your IP address. Key systems do this to bind a key to one device. With it you can be recognized again, also on another account.',
  },
  'user.key': {
    level: 'notice',
    explanation: 'It works only with a key, which you often get by passing pages with ads.',
  },
  'user.purchase': {
    level: 'warning',
    explanation: 'It opens a purchase window of Roblox. Look at what you buy, and from whom, before you confirm.',
  },
  'user.clipboard': {
    level: 'notice',
    explanation: 'It replaces what you have copied, often with an invite link.',
  },
  'user.input': {
    level: 'notice',
    explanation: 'It acts as if you used the keyboard or mouse, for example to stay in the game while you are away.',
  },
  'game.chat': {
    level: 'notice',
    explanation: 'It writes messages in the name of your account.',
  },
  'game.kick': {
    level: 'notice',
    explanation: 'It kicks you out of the server, for example if it does not support the game.',
  },
  'game.teleport': {
    level: 'notice',
    explanation: 'It moves you to another place or server of Roblox.',
  },
  'game.remote': {
    level: 'plain',
    explanation:
      'It uses the connection of the game itself. Almost every script that does something in a game needs this.',
  },
  'client.hook': {
    level: 'notice',
    explanation:
      'It changes how the game or Roblox itself works on your device. It can see and change what passes through.',
  },
  'client.inspect': {
    level: 'plain',
    explanation: 'It reads values and functions of the game that scripts usually do not see.',
  },
  'needs.executor': {
    level: 'plain',
    explanation: 'It uses functions that Roblox does not have. It does not run in Roblox Studio or in a normal game.',
  },
  'shape.obfuscated': {
    level: 'warning',
    explanation:
      'The code was made unreadable on purpose. Some authors do that so that nobody copies it. It also hides what the script does, so we can see much less of it.',
  },
  'shape.secret': {
    level: 'notice',
    explanation: 'A password, token or webhook URL is in the code, where everyone can read and use it.',
  },
  'shape.minified': {
    level: 'plain',
    explanation: 'Spaces and names were removed to make it small. It is hard to read, but not hidden.',
  },
}

/** The groups of a card and their capabilities, most important first. */
export const CAPABILITY_GROUPS: readonly { title: string; ids: readonly CapabilityId[] }[] = [
  { title: 'Internet', ids: ['net.exfiltration', 'net.webhook', 'net.send', 'net.socket', 'net.get'] },
  { title: 'Code', ids: ['code.remote', 'code.dynamic', 'code.asset', 'code.persist'] },
  { title: 'Files', ids: ['fs.delete', 'fs.write', 'fs.read'] },
  {
    title: 'You and your device',
    ids: ['user.identity', 'user.purchase', 'user.key', 'user.clipboard', 'user.input'],
  },
  {
    title: 'In the game',
    ids: ['game.chat', 'game.kick', 'game.teleport', 'client.hook', 'game.remote', 'client.inspect'],
  },
  { title: 'Needs', ids: ['needs.executor'] },
  { title: "How it's written", ids: ['shape.obfuscated', 'shape.secret', 'shape.minified'] },
]

/** How a finding is known. */
export const CERTAINTY_TEXTS: Record<Certainty, string> = {
  code: 'Seen in the code',
  likely: 'Probably',
  run: 'Seen when we ran it',
}

/** There is no text for capabilities that the author was not asked about. */
export const DECLARED_TEXTS: Record<'declared' | 'undeclared', string> = {
  declared: 'As declared',
  undeclared: 'Not declared',
}

export const LEVEL_TEXTS: Record<Exclude<Level, 'plain'>, string> = {
  warning: 'Watch out',
  notice: 'Good to know',
}
