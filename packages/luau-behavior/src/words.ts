// The fallback for scripts that cannot be followed: looks for names that are called, without knowing what they mean there.
import { type CapabilityId, OPAQUE } from './capabilities.ts'
import type { Findings, Site } from './findings.ts'
import { findRule, GET_FUNCTIONS, POST_FUNCTIONS, REQUEST_FUNCTIONS, SOCKET_FUNCTIONS } from './functions.ts'
import { findHosts, isIpService } from './hosts.ts'
import type { Token } from './lexer.ts'
import { ORIGIN } from './origins.ts'

const METHODS: readonly (readonly [pattern: RegExp, id: CapabilityId])[] = [
  [/^(?:HttpGet|HttpGetAsync|GetAsync)$/, 'net.get'],
  [/^(?:PostAsync|RequestAsync|RequestInternal|HttpPost|HttpPostAsync)$/, 'net.send'],
  [/^(?:Fire|Invoke)Server$/i, 'game.remote'],
  [/^Kick$/i, 'game.kick'],
  [/^Shutdown$/, 'game.kick'],
  [/^(?:GetObjects|LoadAsset\w*|LoadLocalAsset)$/, 'code.asset'],
  [/^(?:Prompt|Perform)\w*Purchase\w*$/, 'user.purchase'],
  [/^GetClientId$/, 'user.identity'],
  [/^Teleport(?:Async|ToPlaceInstance|ToPrivateServer|PartyAsync|ToSpawnByName)?$/, 'game.teleport'],
  [
    /^(?:Send(?:Key|MouseButton|MouseMove|MouseWheel)Event|CaptureController|ClickButton[12]|Button[12]Down)$/,
    'user.input',
  ],
  [/^(?:Chat|SendAsync)$/, 'game.chat'],
]
/** Properties and functions that are data about the player, whatever they belong to. */
const DATA: Record<string, number> = {
  UserId: ORIGIN.userId,
  userId: ORIGIN.userId,
  DisplayName: ORIGIN.displayName,
  AccountAge: ORIGIN.accountAge,
  JobId: ORIGIN.serverId,
  GetClientId: ORIGIN.machineId,
  FromSpeaker: ORIGIN.playerName,
}
const PRIVATE = ORIGIN.machineId | ORIGIN.cookie
/** Names that scripts give to the player; others are added where they are assigned. */
const PLAYERS = ['LocalPlayer', 'player', 'Player', 'plr', 'localPlayer', 'lp']
/** Functions without a rule that matter by their arguments. All others that matter have a rule or the name of a method. */
const SPECIAL = new Set(['loadstring', 'load', 'require', 'game.HttpGet'])
const TESTS = new Set(['type', 'typeof', 'assert', 'pcall', 'xpcall'])
/** Words at which an expression ends. */
const ENDS = new Set('local if elseif else end for while do then until function return break repeat'.split(' '))
const MAX_PATH = 8
/** Tokens of an assigned value or a call that are read. */
const MAX_VALUE = 24
const MAX_ARGUMENTS = 400

/**
 * Adds what the words of a script suggest, all as `likely`. `isFollowed`: the script was followed up to a limit, so that data
 * about the player counts only in the call itself, and what needs an executor is known.
 */
export function searchWords(tokens: readonly Token[], findings: Findings, isFollowed: boolean): void {
  new WordSearch(tokens, findings, isFollowed).run()
}

interface Words {
  tokens: readonly Token[]
  /** The position of the first one. */
  start: number
  endLine: number
}

class WordSearch {
  private readonly tokens: readonly Token[]
  private readonly findings: Findings
  private readonly isFollowed: boolean
  private readonly players = new Set(PLAYERS)
  /** Names to which a function was assigned, and its path. */
  private readonly aliases = new Map<string, string>()
  private readonly downloads = new Set<string>()
  /** Functions that the script defines. */
  private readonly own = new Set<string>()
  /** Functions whose existence the script tests. */
  private readonly tested = new Set<string>()
  private data = 0

  constructor(tokens: readonly Token[], findings: Findings, isFollowed: boolean) {
    this.tokens = tokens
    this.findings = findings
    this.isFollowed = isFollowed
  }

  run(): void {
    for (const [index, { kind }] of this.tokens.entries()) {
      if (kind === 'name') this.learn(index)
      else if (kind === 'string' || kind.startsWith('interpolation')) this.recordText(index)
    }
    for (const [index, { kind }] of this.tokens.entries()) if (kind === 'name') this.recordCall(index)
  }

  private is(index: number, ...texts: string[]): boolean {
    const token = this.tokens[index]
    return token !== undefined && (token.kind === 'symbol' || token.kind === 'keyword') && texts.includes(token.text)
  }

  /** The dotted path that ends at a name, such as `syn.request`, and where it starts. */
  private pathTo(last: number): { path: string; start: number } {
    let start = last
    while (this.is(start - 1, '.') && this.tokens[start - 2]?.kind === 'name' && last - start < 2 * MAX_PATH) start -= 2
    const names = []
    for (let index = start; index <= last; index += 2) names.push(this.tokens[index]?.text)
    return { path: names.join('.'), start }
  }

  /** Remembers what a name says about other places of the script. */
  private learn(index: number): void {
    const { text } = this.tokens[index] as Token
    this.data |= this.dataAt(index)
    if (this.is(index - 1, 'function') && !this.is(index + 1, '.', ':')) this.own.add(text)
    else if (this.is(index + 1, '=') && !this.is(index - 1, '.', '{', ',', ';')) this.learnValue(text, index + 2)
    if (this.is(index + 1, 'then', 'and', 'or', '==', '~=', ')') || this.is(index - 1, 'not')) this.learnTest(index)
  }

  private learnTest(index: number): void {
    const { path, start } = this.pathTo(index)
    const isArgument = this.is(start - 1, '(') && TESTS.has(this.tokens[start - 2]?.text ?? '')
    if (this.is(index + 1, ')') && !isArgument) return
    this.tested.add(path)
    this.tested.add(path.split('.')[0] ?? '')
  }

  private learnValue(name: string, start: number): void {
    const line = this.tokens[start]?.line
    for (let index = start; index < start + MAX_VALUE; index++) {
      const token = this.tokens[index]
      if (token?.line !== line || (token?.kind === 'keyword' && ENDS.has(token.text))) return
      if (token?.kind !== 'name' || this.is(index + 1, '.', ':')) continue
      const { path } = this.pathTo(index)
      if (token.text === 'LocalPlayer') this.players.add(name)
      if (this.isDownload(index)) this.downloads.add(name)
      else if (!this.isCall(index) && (findRule(path) || path === 'loadstring' || path === 'game.HttpGet'))
        if (!this.aliases.has(name)) this.aliases.set(name, path)
    }
  }

  private isCall(index: number): boolean {
    return this.is(index + 1, '(', '{') || this.tokens[index + 1]?.kind === 'string'
  }

  private isDownload(index: number): boolean {
    const { text } = this.tokens[index] as Token
    if (this.downloads.has(text)) return true
    if (!this.isCall(index)) return false
    const path = this.resolve(this.pathTo(index).path)
    return /^(?:Http)?Get(?:Async)?$/i.test(text) || GET_FUNCTIONS.has(path) || REQUEST_FUNCTIONS.has(path)
  }

  private hasDownload({ tokens, start }: Words): boolean {
    return tokens.some(({ kind }, index) => kind === 'name' && this.isDownload(start + index))
  }

  private resolve(path: string): string {
    return this.aliases.get(path) ?? path
  }

  /** The origins of data about the player that a name stands for. */
  private dataAt(index: number): number {
    const { text } = this.tokens[index] as Token
    const known = Object.hasOwn(DATA, text) && this.is(index - 1, '.', ':') ? (DATA[text] ?? 0) : 0
    if (text === 'Name' && this.is(index - 1, '.') && this.players.has(this.tokens[index - 2]?.text ?? ''))
      return ORIGIN.playerName
    return this.isCall(index)
      ? known | ((findRule(this.resolve(this.pathTo(index).path))?.origin ?? 0) & PRIVATE)
      : known
  }

  private recordText(index: number): void {
    const { text, line, kind } = this.tokens[index] as Token
    const isOpen = kind !== 'string' && this.tokens[index]?.raw.endsWith('{')
    // An expression follows: the rest of the host is not known.
    const known = isOpen ? `${text}{}` : text
    this.findings.recordText(known, line)
    this.findings.recordArgument(known, line)
    const property = this.is(index - 1, '=') ? this.tokens[index - 2] : undefined
    if (property?.kind === 'name') this.findings.recordProperty(property.text, known, line)
    if (text === 'TextBox' && this.is(index - 1, '(') && this.tokens[index - 2]?.text === 'new')
      this.findings.recordPrompt()
    if (!findHosts(known).some(isIpService)) return
    this.data |= ORIGIN.ipAddress
    this.add('user.identity', { line, endLine: line }, known)
  }

  private recordCall(index: number): void {
    if (!this.isCall(index)) return
    const { text, line } = this.tokens[index] as Token
    const { path: written, start } = this.pathTo(index)
    const isMethod = this.is(start - 1, ':', '.', 'function')
    if (!isMethod && this.own.has(written.split('.')[0] ?? '')) return
    const path = this.resolve(written)
    const rule = isMethod ? undefined : findRule(path)
    const usual = rule?.capability ?? METHODS.find(([pattern]) => pattern.test(text))?.[1]
    if (!usual && !rule && !SPECIAL.has(path)) return
    const args = this.argumentsAt(index)
    const site = { line, endLine: args.endLine }
    const id = this.specialCapability(path, args) ?? usual
    if (id) this.recordFinding(id, path, args, site)
    if (id === 'game.remote' && /SayMessageRequest/.test(this.textBefore(index))) this.add('game.chat', site, path)
    if (rule?.isExecutor && !this.isFollowed && !this.isTested(path))
      this.findings.add('needs.executor', 'likely', site, path)
  }

  private recordFinding(id: CapabilityId, path: string, args: Words, site: Site): void {
    const isRequest = id.startsWith('net.')
    const texts = args.tokens.filter(({ kind }) => kind === 'string').map(({ text }) => text)
    const url = isRequest ? texts.find((text) => findHosts(text).length > 0) : undefined
    this.add(id, site, url === undefined ? path : `${path} ${url}`)
    if (isRequest) this.recordData(id, args, site, path)
    if (id === 'code.remote') this.findings.addOpaque(OPAQUE.downloaded)
    if (id === 'code.dynamic') this.findings.addOpaque(OPAQUE.dynamic)
    if (id === 'fs.write' && texts.some((text) => /autoexec/i.test(text))) this.add('code.persist', site, path)
  }

  private isTested(path: string): boolean {
    return this.tested.has(path) || this.tested.has(path.split('.')[0] ?? '')
  }

  private add(id: CapabilityId, site: Site, detail: string): void {
    if (!this.findings.hasAt(id, site.line)) this.findings.add(id, 'likely', site, detail)
  }

  private recordData(id: CapabilityId, { tokens, start }: Words, site: Site, path: string): void {
    if (this.findings.hasAt('net.exfiltration', site.line)) return
    let data = this.isFollowed || id === 'net.get' ? 0 : this.data
    for (const [index, { kind }] of tokens.entries()) if (kind === 'name') data |= this.dataAt(start + index)
    this.findings.addPlayerData(data, 'likely', site, path)
  }

  /** The tokens of a call's arguments. */
  private argumentsAt(index: number): Words {
    let depth = 0
    let end = index + 1
    for (; end < this.tokens.length && end < index + MAX_ARGUMENTS; end++) {
      if (this.is(end, '(', '{', '[')) depth++
      else if (this.is(end, ')', '}', ']')) depth--
      if (depth <= 0) break
    }
    return { tokens: this.tokens.slice(index + 1, end + 1), start: index + 1, endLine: this.tokens[end]?.endLine ?? 1 }
  }

  private textBefore(index: number): string {
    return this.tokens
      .slice(Math.max(0, index - 6), index)
      .map(({ text }) => text)
      .join(' ')
  }

  /** Of functions whose capability depends on their arguments. */
  private specialCapability(path: string, args: Words): CapabilityId | undefined {
    if (REQUEST_FUNCTIONS.has(path)) return isGet(args.tokens) ? 'net.get' : 'net.send'
    if (POST_FUNCTIONS.has(path)) return 'net.send'
    if (GET_FUNCTIONS.has(path) || path === 'game.HttpGet') return 'net.get'
    if (SOCKET_FUNCTIONS.has(path)) return 'net.socket'
    if (path === 'loadstring' || path === 'load') return this.hasDownload(args) ? 'code.remote' : 'code.dynamic'
    return path === 'require' && args.tokens[1]?.kind === 'number' ? 'code.asset' : undefined
  }
}

/** Whether the options of a request, if they are written in the call, have no body and no other method than GET. */
function isGet(tokens: readonly Token[]): boolean {
  const isTable = tokens.some(({ kind, text }) => kind === 'symbol' && text === '{')
  const method = tokens.findIndex(({ kind, text }) => kind === 'name' && text === 'Method')
  const hasBody = tokens.some(({ kind, text }) => kind === 'name' && text === 'Body')
  return isTable && !hasBody && (method < 0 || tokens[method + 2]?.text.toUpperCase() === 'GET')
}
