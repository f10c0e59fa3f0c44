import type { Certainty } from './capabilities.ts'
import { shorten, type Site } from './findings.ts'
import { describeWebhook, findHosts, isIpService } from './hosts.ts'
import type { Run } from './run.ts'
import { type Results, results } from './results.ts'
import { ORIGIN, PLAYER_BITS } from './origins.ts'
import { UNRESOLVED } from './unresolved.ts'
import { join, optionsOf, originOf, Table, textsOf, Unknown, type Value } from './values.ts'

/** `Unknown.madeBy` of a body that has the form of a message to a chat webhook. */
export const MESSAGE = 'a message'

interface Request {
  /** Origins of what else is sent, such as cookies. */
  others?: number
  url: Value
  method: Value
  body: Value
  headers: Value
}

/** `code` if at least the host of a URL is known. */
function certaintyOf(url: Value, atMost: Certainty): Certainty {
  return textsOf(url).some((text) => findHosts(text).length > 0) ? atMost : 'likely'
}

const describe = (name: string, url: Value): string => {
  const [text] = textsOf(url)
  return text === undefined ? name : `${name} ${shorten(text, 120)}`
}

function originOfAnswer(run: Run, url: Value, site: Site, name: string): number {
  const isIp = textsOf(url).some((text) => findHosts(text).some(isIpService))
  if (isIp) run.findings.add('user.identity', 'code', site, describe(name, url))
  return ORIGIN.network | (isIp ? ORIGIN.ipAddress : 0)
}

function recordUrl(run: Run, url: Value, site: Site, name: string, certainty: Certainty): void {
  if (optionsOf(url).some((option) => option !== null && !textsOf(option).some((text) => findHosts(text).length > 0)))
    run.findings.addOpaque(UNRESOLVED.address, site)
  for (const text of textsOf(url)) {
    run.findings.addHosts(text, site.line, true)
    const webhook = describeWebhook(text)
    if (webhook) run.findings.add('net.webhook', certainty, site, `${name} to ${webhook}: ${shorten(text, 120)}`)
  }
  run.findings.recordText(url, site.line)
}

export function readUrl(run: Run, url: Value, site: Site, name: string, atMost: Certainty = 'code'): Results {
  const certainty = certaintyOf(url, atMost)
  run.findings.add('net.get', certainty, site, describe(name, url))
  recordUrl(run, url, site, name, certainty)
  run.findings.addPlayerData(originOf(url), atMost, site, name)
  run.hasWaited = true
  return results(new Unknown(originOfAnswer(run, url, site, name), undefined, 'download', textsOf(url)[0]))
}

/** Whether a request to an address that is not known looks like one to a webhook: by its name, or by its body. */
function isUnknownWebhook(url: Value, body: Value): boolean {
  if (optionsOf(url).some((one) => one instanceof Unknown && /^global .*webhook/i.test(one.madeBy))) return true
  const hosts = textsOf(url).flatMap(findHosts)
  if (hosts.length > 0)
    return textsOf(url).some((text) => /^https?:\/\/[^/]+\/(?:[^?]*\/)?webhooks?(?:[/?]|$)/i.test(text))
  return optionsOf(body).some((one) => one instanceof Unknown && one.madeBy === MESSAGE)
}

export function sendRequest(
  run: Run,
  { url, method, body, headers, others = 0 }: Request,
  site: Site,
  name: string,
  atMost: Certainty = 'code',
): Results {
  const certainty = certaintyOf(url, atMost)
  const methods = optionsOf(method).map((option) => (typeof option === 'string' ? option.toUpperCase() : option))
  const isGet = body === null && methods.every((one) => one === null || one === 'GET' || one === 'HEAD')
  const isUnclear = methods.some((one) => one !== null && typeof one !== 'string')
  if (isGet) run.findings.add('net.get', certainty, site, describe(name, url))
  else run.findings.add('net.send', isUnclear && body === null ? 'likely' : certainty, site, describe(name, url))
  recordUrl(run, url, site, name, certainty)
  if (!isGet && isUnknownWebhook(url, body))
    run.findings.add('net.webhook', 'likely', site, `${name} with a chat message`)
  for (const value of [body, headers]) run.findings.recordText(value, site.line)
  run.findings.addPlayerData(originOf(url) | originOf(body) | originOf(headers) | others, atMost, site, name)
  run.hasWaited = true
  return results(new Unknown(originOfAnswer(run, url, site, name), undefined, 'download', textsOf(url)[0]))
}

/** A call of a function that takes a table with `Url`, `Method`, `Headers` and `Body`. Returns the response. */
export function receiveResponse(
  run: Run,
  options: Value,
  site: Site,
  name: string,
  atMost: Certainty = 'code',
): Results {
  const answers = optionsOf(options).map((option) => {
    if (typeof option === 'string') return readUrl(run, option, site, name, atMost)
    const isTable = option instanceof Table
    const field = (key: string): Value => {
      if (!isTable) return new Unknown(originOf(option))
      return (
        run.index(option, key) ?? option.entries.get(key.toLowerCase()) ?? option.entries.get(key.toUpperCase()) ?? null
      )
    }
    const request = {
      url: field('Url'),
      method: field('Method'),
      body: field('Body'),
      headers: field('Headers'),
      others: originOf(option) & PLAYER_BITS,
    }
    return sendRequest(run, request, site, name, isTable ? atMost : 'likely')
  })
  const [answer = null] = answers.map(({ values }) => values[0] ?? null)
  return results(answers.length > 1 ? answers.map(({ values }) => values[0] ?? null).reduce(join) : answer)
}
