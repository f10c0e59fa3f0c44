// Roblox objects: the values of their properties, and what their methods do.
import { MESSAGE, readUrl, receiveResponse, sendRequest } from './requests.ts'
import type { Site } from './findings.ts'
import type { Interpreter } from './interpreter.ts'
import { type Results, resultAt, results, unknownResults } from './results.ts'
import { indexInstance, pathOf, rootInstance } from './instances.ts'
import { listOf } from './pure.ts'
import {
  Closure,
  Instance,
  join,
  optionsOf,
  ORIGIN,
  originOf,
  Table,
  textsOf,
  Unknown,
  UNKNOWN,
  type Value,
} from './values.ts'

/** A method call that a rule knows. `object` is undefined if the rule matches by name alone. */
interface MethodCall {
  run: Interpreter
  object: Instance | Unknown
  name: string
  args: Results
  site: Site
}

export function callMethod(
  run: Interpreter,
  object: Instance | Unknown,
  name: string,
  args: Results,
  site: Site,
): Results {
  const call = { run, object, name, args, site }
  const className = object instanceof Instance ? object.className : ''
  return (
    OF_CLASS[className]?.(call) ??
    (object instanceof Instance ? ofInstance(call) : undefined) ??
    ofAnyObject(call) ??
    callOther(call)
  )
}

const OF_CLASS: Record<string, (call: MethodCall) => Results | undefined> = {
  DataModel: ofGame,
  HttpService: ofHttpService,
  Players: ofPlayers,
  Player: ofPlayer,
  MarketplaceService: ({ run, name, site }) => {
    if (!/^(?:Prompt|Perform)\w*(?:Purchase|Subscription)\w*$/.test(name)) return undefined
    run.findings.add('user.purchase', 'code', site, `MarketplaceService:${name}`)
    return results()
  },
  TeleportService: ({ run, name, args, site }) => {
    if (!name.startsWith('Teleport')) return undefined
    run.findings.add('game.teleport', 'code', site, `TeleportService:${name}`)
    for (const value of args.values) run.useElsewhere(value)
    return results()
  },
  ExperienceService: ({ run, name, site }) => {
    if (name !== 'LaunchExperience') return undefined
    run.findings.add('game.teleport', 'code', site, `ExperienceService:${name}`)
    return results()
  },
  AssetService: ({ run, name, site }) => {
    if (name !== 'LoadAssetAsync') return undefined
    run.findings.add('code.asset', 'code', site, `AssetService:${name}`)
    return unknownResults()
  },
  InsertService: ({ run, name, site }) => {
    if (!/^LoadAsset|^CreateMeshPartAsync$|^LoadLocalAsset$/.test(name)) return undefined
    run.findings.add('code.asset', 'code', site, `InsertService:${name}`)
    return unknownResults()
  },
  RbxAnalyticsService: ({ run, name, site }) => {
    if (name !== 'GetClientId' && name !== 'GetSessionId') return undefined
    run.findings.add('user.identity', 'code', site, `RbxAnalyticsService:${name}`)
    return results(new Unknown(ORIGIN.machineId, undefined, name))
  },
  VirtualInputManager: ({ run, name, site }) => {
    if (!name.startsWith('Send')) return undefined
    run.findings.add('user.input', 'code', site, `VirtualInputManager:${name}`)
    return results()
  },
  VirtualUser: ({ run, name, site }) => {
    if (!/^(?:Button[12]|Click|Move|SetKey|TypeKey|CaptureController)/.test(name)) return undefined
    run.findings.add('user.input', 'code', site, `VirtualUser:${name}`)
    return results()
  },
  Chat: ({ run, name, site }) => {
    if (name !== 'Chat') return undefined
    run.findings.add('game.chat', 'code', site, 'Chat:Chat')
    return results()
  },
  LocalizationService: ({ name }) =>
    name.startsWith('GetCountryRegion') ? results(new Unknown(ORIGIN.machine, undefined, name)) : undefined,
}

function ofGame({ run, name, args, site }: MethodCall): Results | undefined {
  if (
    /^(?:GetService|getService|service|FindService|FindFirstChildOfClass|WaitForChild|FindFirstChild|FindFirstChildWhichIsA)$/.test(
      name,
    )
  ) {
    const services = optionsOf(resultAt(args, 0)).map((option): Value =>
      typeof option === 'string'
        ? option === 'DataModel'
          ? (rootInstance('game') ?? UNKNOWN)
          : new Instance(option)
        : new Instance('', ''),
    )
    return results(services.reduce(join))
  }
  if (/^HttpGet(?:Async)?$/.test(name)) return readUrl(run, resultAt(args, 0), site, `game:${name}`)
  if (/^HttpPost(?:Async)?$/.test(name)) {
    return sendRequest(
      run,
      { url: resultAt(args, 0), body: resultAt(args, 1), headers: null, method: 'POST' },
      site,
      `game:${name}`,
    )
  }
  if (name === 'GetObjects') {
    run.findings.add('code.asset', 'code', site, 'game:GetObjects')
    return unknownResults()
  }
  if (name === 'Shutdown') {
    run.findings.add('game.kick', 'code', site, 'game:Shutdown')
    return results()
  }
  return undefined
}

function ofHttpService({ run, name, args, site }: MethodCall): Results | undefined {
  const argument = (position: number) => resultAt(args, position)
  switch (name) {
    case 'GetAsync':
      return readUrl(run, argument(0), site, 'HttpService:GetAsync')
    case 'PostAsync':
      return sendRequest(
        run,
        { url: argument(0), body: argument(1), headers: argument(4), method: 'POST' },
        site,
        'HttpService:PostAsync',
      )
    case 'RequestAsync':
      return receiveResponse(run, argument(0), site, 'HttpService:RequestAsync')
    case 'RequestInternal': {
      const [response = null] = receiveResponse(run, argument(0), site, 'HttpService:RequestInternal').values
      return results(new Unknown(originOf(response), undefined, 'request'))
    }
    case 'JSONEncode':
      return results(
        new Unknown(originOf(argument(0)), encodedParts(argument(0)), isMessage(argument(0)) ? MESSAGE : 'JSONEncode'),
      )
    case 'JSONDecode': {
      const text = argument(0)
      const decoded = typeof text === 'string' ? fromJson(text) : undefined
      return results(
        decoded ??
          new Unknown(originOf(text), undefined, 'JSONDecode', text instanceof Unknown ? text.source : undefined),
      )
    }
    case 'UrlEncode': {
      const text = argument(0)
      return results(typeof text === 'string' ? encodeURIComponent(text) : new Unknown(originOf(text), ['', '']))
    }
    case 'GenerateGUID':
      return results(UNKNOWN)
  }
  return undefined
}

const isMessage = (value: Value): boolean =>
  optionsOf(value).some(
    (option) => option instanceof Table && (option.entries.has('embeds') || option.entries.has('content')),
  )

/** Known texts of a table that is encoded, so that URLs and secrets in it are seen. */
function encodedParts(value: Value): string[] | undefined {
  if (!(value instanceof Table)) return undefined
  const texts = [...value.entries.values()].flatMap((entry) => textsOf(entry)).slice(0, 20)
  return texts.length > 0 ? ['', ...texts, ''] : undefined
}

const players = (): Unknown => new Unknown(0, undefined, 'players')

function ofPlayers({ run, name, args, site }: MethodCall): Results | undefined {
  if (/^(?:GetPlayers|getPlayers|players|GetChildren|getChildren)$/.test(name)) return results(players())
  if (/^(?:FindFirstChild\w*|WaitForChild|GetPlayerFromCharacter|GetPlayerByUserId|playerFromCharacter)$/.test(name)) {
    return results(new Instance('Player', 'a player'))
  }
  if (name === 'GetNameFromUserIdAsync') return results(new Unknown(ORIGIN.playerName, undefined, name))
  if (name === 'GetUserIdFromNameAsync') return results(new Unknown(ORIGIN.userId, undefined, name))
  if (name === 'Chat') {
    run.findings.add('game.chat', 'code', site, 'Players:Chat')
    return results()
  }
  for (const value of args.values) run.useElsewhere(value)
  return undefined
}

function ofPlayer({ run, name, site }: MethodCall): Results | undefined {
  if (name === 'Kick' || name === 'kick') {
    run.findings.add('game.kick', 'code', site, 'Player:Kick')
    return results()
  }
  return undefined
}

const PLAYER_EVENTS = new Set(['PlayerAdded', 'PlayerRemoving'])
const CONNECTS = /^(?:Connect|connect|Once|ConnectParallel|connectParallel)$/

function ofInstance({ run, object, name, args, site }: MethodCall): Results | undefined {
  if (!(object instanceof Instance)) return undefined
  const { owner } = object
  if (CONNECTS.test(name)) {
    const known = PLAYER_EVENTS.has(object.name) ? [new Instance('Player', 'a player')] : eventArguments(object)
    for (const option of optionsOf(resultAt(args, 0))) {
      if (option instanceof Closure) run.defer(option, { values: known, rest: UNKNOWN })
    }
    return results(new Instance('RBXScriptConnection'))
  }
  if (/^(?:Wait|wait)$/.test(name)) {
    run.hasWaited = true
    return unknownResults(
      object.name === 'CharacterAdded' ? new Instance('Character', 'Character', owner, ORIGIN.character) : UNKNOWN,
    )
  }
  if (/^(?:WaitForChild|FindFirstChild\w*|FindFirstAncestor\w*|waitForChild|findFirstChild)$/.test(name)) {
    const child = resultAt(args, 0)
    return results(indexInstance(object, typeof child === 'string' ? child : ''))
  }
  if (name === 'SendAsync' && /TextChannels|RBXGeneral|TextChatService/.test(pathOf(object))) {
    run.findings.add('game.chat', 'code', site, 'TextChannel:SendAsync')
    return unknownResults()
  }
  return undefined
}

/** Arguments of the handlers of an event: messages of a socket come from the network. */
function eventArguments(event: Instance): Value[] {
  if (event.name === 'OnMessage' || event.origin & ORIGIN.network) {
    return [new Unknown(ORIGIN.network, undefined, 'a socket message')]
  }
  return event.name === 'CharacterAdded' ? [new Instance('Character', 'Character', event.owner, ORIGIN.character)] : []
}

const REMOTE_CALLS = new Set(['FireServer', 'InvokeServer', 'fireServer', 'invokeServer'])

/** Methods whose names leave no doubt, or little. */
function ofAnyObject({ run, object, name, args, site }: MethodCall): Results | undefined {
  const { findings } = run
  const path = object instanceof Instance ? pathOf(object) : (/^global (.+)/.exec(object.made)?.[1] ?? '')
  if (REMOTE_CALLS.has(name)) {
    run.hasWaited = true
    if (/SayMessageRequest/.test(path)) findings.add('game.chat', 'code', site, `SayMessageRequest:${name}`)
    findings.add('game.remote', 'code', site, path ? `${path}:${name}` : name)
    for (const value of args.values) run.useElsewhere(value)
    return unknownResults()
  }
  if (name === 'Kick' || name === 'kick') {
    findings.add('game.kick', 'likely', site, name)
    return results()
  }
  if (/^HttpGet(?:Async)?$/.test(name)) return readUrl(run, resultAt(args, 0), site, name, 'likely')
  if (/^Prompt\w*Purchase\w*$/.test(name)) {
    findings.add('user.purchase', 'likely', site, name)
    return results()
  }
  if (name === 'GetObjects') {
    findings.add('code.asset', 'likely', site, name)
    return unknownResults()
  }
  if (/^Teleport(?:Async|ToPlaceInstance|ToPrivateServer|PartyAsync|ToSpawnByName)$/.test(name)) {
    findings.add('game.teleport', 'likely', site, name)
    return results()
  }
  if (/^(?:PostAsync|RequestAsync)$/.test(name)) {
    return name === 'PostAsync'
      ? sendRequest(
          run,
          { url: resultAt(args, 0), body: resultAt(args, 1), headers: null, method: 'POST' },
          site,
          name,
          'likely',
        )
      : receiveResponse(run, resultAt(args, 0), site, name, 'likely')
  }
  if (object instanceof Unknown && object.made === 'socket') return ofSocket({ run, object, name, args, site })
  return undefined
}

function ofSocket({ run, name, args, site }: MethodCall): Results | undefined {
  if (name !== 'Send' && name !== 'send') return undefined
  run.findings.addPlayerData(originOf(resultAt(args, 0)), 'code', site, 'WebSocket:Send')
  return results()
}

function callOther({ run, object, name, args, site }: MethodCall): Results {
  if (object instanceof Unknown) {
    const handler = resultAt(args, 0)
    if (CONNECTS.test(name) && object.origin & ORIGIN.network && handler instanceof Closure) {
      run.defer(handler, { values: [new Unknown(ORIGIN.network, undefined, 'a socket message')], rest: UNKNOWN })
      return unknownResults()
    }
    if (name === 'Clone' || name === 'clone') return results(object)
    if (name === 'Start' && object.made === 'request') {
      for (const option of optionsOf(resultAt(args, 0)))
        if (option instanceof Closure)
          run.defer(option, results(true, new Unknown(object.origin, undefined, 'download', object.source)))
      return unknownResults()
    }
    const { values } = run.callUnknown(args)
    return unknownResults(
      new Unknown(object.origin | originOf(values[0] ?? null), undefined, object.made, object.source),
    )
  }
  run.hasWaited = true
  for (const value of args.values) {
    run.useElsewhere(value)
    run.findings.recordArgument(value, site.line)
  }
  if (/^(?:GetChildren|GetDescendants|getChildren|children|GetTagged|GetConnectedParts)$/.test(name)) {
    const made = /TextChannels|TextChatService/.test(pathOf(object)) ? 'text channels' : ''
    return results(new Unknown(object.origin, undefined, made))
  }
  if (/^[GS]etAttribute$/.test(name)) {
    const [attribute, value = null] = args.values
    if (typeof attribute !== 'string') return unknownResults()
    if (name === 'SetAttribute') {
      run.properties.write(object, `attribute ${attribute}`, value)
      return results()
    }
    return results(run.properties.read(object, `attribute ${attribute}`) ?? UNKNOWN)
  }
  if (name === 'GetPlatform' || name === 'GetFullName') return results(UNKNOWN)
  return unknownResults(new Unknown(object.origin))
}

/** The value that a JSON text decodes to, or undefined if it is not JSON. */
function fromJson(text: string): Value | undefined {
  try {
    return toValue(JSON.parse(Buffer.from(text, 'latin1').toString()))
  } catch {
    return undefined
  }
}

function toValue(json: unknown): Value {
  if (json === null || typeof json === 'number' || typeof json === 'boolean') return json
  if (typeof json === 'string') return Buffer.from(json).toString('latin1')
  if (Array.isArray(json)) return listOf(json.map((item: unknown) => toValue(item)))
  const table = new Table()
  if (typeof json === 'object') for (const [key, value] of Object.entries(json)) table.entries.set(key, toValue(value))
  return table
}
