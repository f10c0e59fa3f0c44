// The fallback for scripts that cannot be followed: looks for names that are called, without knowing what they mean there.
import type { CapabilityId } from './capabilities.ts'
import type { Findings } from './findings.ts'
import { findRule, GET_FUNCTIONS, POST_FUNCTIONS, REQUEST_FUNCTIONS, SOCKET_FUNCTIONS } from './functions.ts'
import { describeWebhook } from './hosts.ts'
import type { Token } from './lexer.ts'

const METHODS: Record<string, CapabilityId> = {
  HttpGet: 'net.get',
  HttpGetAsync: 'net.get',
  GetAsync: 'net.get',
  PostAsync: 'net.send',
  RequestAsync: 'net.send',
  HttpPost: 'net.send',
  FireServer: 'game.remote',
  InvokeServer: 'game.remote',
  Kick: 'game.kick',
  GetObjects: 'code.asset',
  PromptPurchase: 'user.purchase',
  PromptProductPurchase: 'user.purchase',
  PromptGamePassPurchase: 'user.purchase',
  GetClientId: 'user.identity',
  TeleportToPlaceInstance: 'game.teleport',
  fireServer: 'game.remote',
  invokeServer: 'game.remote',
  SendKeyEvent: 'user.input',
  SendMouseButtonEvent: 'user.input',
  CaptureController: 'user.input',
}

/** Adds what the words of a script suggest, all as `likely`. */
export function searchWords(tokens: readonly Token[], findings: Findings): void {
  for (const [index, token] of tokens.entries()) {
    const { line } = token
    const site = { line, endLine: line }
    if (token.kind === 'string') {
      findings.recordText(token.text, line)
      const webhook = describeWebhook(token.text)
      if (webhook) findings.add('net.webhook', 'likely', site, webhook)
      continue
    }
    if (token.kind !== 'name' || !isCall(tokens[index + 1])) continue
    const path = pathTo(tokens, index)
    const id = capabilityOf(path, token.text, tokens, index)
    if (id) findings.add(id, 'likely', site, path)
    if (/^(?:Fire|Invoke)Server$/i.test(token.text) && /SayMessageRequest/.test(textBefore(tokens, index)))
      findings.add('game.chat', 'likely', site, path)
  }
}

const isCall = (next: Token | undefined): boolean =>
  next !== undefined &&
  (next.kind === 'string' || (next.kind === 'symbol' && (next.text === '(' || next.text === '{')))

/** The dotted path that ends at a name: `syn.request`. */
function pathTo(tokens: readonly Token[], last: number): string {
  const names: string[] = []
  for (let index = last; index >= 0; index -= 2) {
    const [name, dot] = [tokens[index], tokens[index - 1]]
    if (name?.kind !== 'name') break
    names.unshift(name.text)
    if (dot?.kind !== 'symbol' || dot.text !== '.') break
  }
  return names.join('.')
}

const textBefore = (tokens: readonly Token[], index: number): string =>
  tokens
    .slice(Math.max(0, index - 6), index)
    .map(({ text }) => text)
    .join(' ')

const isDownload = (tokens: readonly Token[], index: number): boolean =>
  tokens
    .slice(index + 1, index + 10)
    .some((token) => token.kind === 'name' && /^(?:Http)?Get(?:Async)?$/i.test(token.text))

function capabilityOf(path: string, name: string, tokens: readonly Token[], index: number): CapabilityId | undefined {
  if (REQUEST_FUNCTIONS.has(path) || POST_FUNCTIONS.has(path)) return 'net.send'
  if (GET_FUNCTIONS.has(path)) return 'net.get'
  if (SOCKET_FUNCTIONS.has(path)) return 'net.socket'
  if (path === 'loadstring') return isDownload(tokens, index) ? 'code.remote' : 'code.dynamic'
  return findRule(path)?.capability ?? (Object.hasOwn(METHODS, name) ? METHODS[name] : undefined)
}
