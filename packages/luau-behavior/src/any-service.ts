// Methods of objects that may be any service.
import type { CapabilityId } from './capabilities.ts'
import type { Site } from './findings.ts'
import type { Run } from './run.ts'
import { ORIGIN, POWERS } from './origins.ts'
import { readUrl, receiveResponse, sendRequest } from './requests.ts'
import { type Results, resultAt, unknownResults } from './results.ts'
import { type Instance, Unknown, UNKNOWN } from './values.ts'

/** A method call that a rule knows. `object` is undefined if the rule matches by name alone. */
export interface MethodCall {
  run: Run
  object: Instance | Unknown
  name: string
  args: Results
  site: Site
}

/** Whether an object may be a service that the script has by a way that was not followed. */
export const mayBeService = (object: Instance | Unknown): boolean =>
  object instanceof Unknown ? (object.origin & POWERS) !== 0 : object.className === '' && object.owner === undefined

/** Methods of services that have the name of methods of other objects. */
const SERVICE_METHODS: readonly (readonly [name: RegExp, id: CapabilityId])[] = [
  [/^Teleport/, 'game.teleport'],
  [/^LaunchExperience$/, 'game.teleport'],
  [/^(?:Prompt|Perform)\w*(?:Purchase|Subscription)/, 'user.purchase'],
  [/^LoadAsset|^LoadLocalAsset$|^CreateMeshPartAsync$/, 'code.asset'],
  [/^(?:GetClientId|GetSessionId)$/, 'user.identity'],
  [
    /^(?:Send(?:Key|Mouse|Text|Touch|Game)\w*|Button[12]\w*|Click\w*|SetKey\w*|TypeKey|CaptureController)$/,
    'user.input',
  ],
  [/^(?:Chat|SendAsync)$/, 'game.chat'],
  [/^Shutdown$/, 'game.kick'],
]

export function ofAnyService({ run, name, args, site }: MethodCall): Results | undefined {
  if (name === 'GetAsync') return readUrl(run, resultAt(args, 0), site, name, 'likely')
  if (/^HttpPost(?:Async)?$/.test(name)) {
    const request = { url: resultAt(args, 0), body: resultAt(args, 1), headers: null, method: 'POST' }
    return sendRequest(run, request, site, name, 'likely')
  }
  if (name === 'RequestInternal') return receiveResponse(run, resultAt(args, 0), site, name, 'likely')
  const id = SERVICE_METHODS.find(([pattern]) => pattern.test(name))?.[1]
  if (id === undefined) return undefined
  run.findings.add(id, 'likely', site, name)
  return unknownResults(id === 'user.identity' ? new Unknown(ORIGIN.machineId, undefined, name) : UNKNOWN)
}
