// Roblox objects: the values of their properties, and what their methods do.
import { type MethodCall, mayBeService, ofAnyService } from './any-service.ts'
import { callUnknown } from './unknown-calls.ts'
import { hasPower, isLibraryTable } from './functions.ts'
import { MESSAGE, readUrl, receiveResponse, sendRequest } from './requests.ts'
import type { Site } from './findings.ts'
import type { Run } from './run.ts'
import { type Results, resultAt, results, unknownResults } from './results.ts'
import { indexInstance, pathOf, rootInstance } from './instances.ts'
import { encodedParts, fromJson } from './json.ts'
import { ORIGIN, PLAYER_BITS, POWERS } from './origins.ts'
import { UNRESOLVED } from './unresolved.ts'
import {
  Closure,
  Instance,
  isConstant,
  join,
  optionsOf,
  originOf,
  originsOf,
  Library,
  Table,
  Unknown,
  UNKNOWN,
  type Value,
} from './values.ts'

export function callMethod(run: Run, object: Instance | Unknown, name: string, args: Results, site: Site): Results {
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
  HttpRbxApiService: ({ run, name, args, site }) => {
    const [url = null, body = null] = args.values
    if (/^Get\w*Async/.test(name)) return readUrl(run, url, site, `HttpRbxApiService:${name}`)
    if (!/^(?:Post|Request)\w*Async/.test(name)) return undefined
    return sendRequest(run, { url, body, headers: null, method: 'POST' }, site, `HttpRbxApiService:${name}`)
  },
  GuiService: ({ run, name, args, site }) => {
    if (name === 'OpenBrowserWindow')
      run.findings.addPlayerData(originOf(resultAt(args, 0)), 'code', site, `GuiService:${name}`)
    return undefined
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

const players = (): Unknown => new Unknown(0, undefined, 'players')

function ofPlayers({ run, name, site }: MethodCall): Results | undefined {
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
    const values = eventArguments(object)
    const rest = () => (object.name === 'Event' ? new Unknown(run.passed) : UNKNOWN)
    for (const option of optionsOf(resultAt(args, 0))) connect(run, option, () => ({ values, rest: rest() }), site)
    return results(new Instance('RBXScriptConnection'))
  }
  if (/^(?:Wait|wait)$/.test(name)) {
    run.schedule.flush()
    run.hasWaited = true
    if (object.name === 'Event') return unknownResults(new Unknown(run.passed))
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

/** Has the engine call a function, unless it is one from outside of the script. */
function connect(run: Run, handler: Value, args: () => Results, site: Site): void {
  const isOutside = isConstant(handler) || (handler instanceof Unknown && (handler.origin & POWERS) === 0)
  if (!isOutside) run.schedule.defer(handler, args, site)
}

const CHAT_EVENTS =
  /OnMessageDoneFiltering|OnNewMessage|OnNewSystemMessage|MessageReceived|SendingMessage|OnIncomingMessage/

/** Arguments of the handlers of an event: messages of a socket come from the network. */
function eventArguments(event: Instance): Value[] {
  if (PLAYER_EVENTS.has(event.name)) return [new Instance('Player', 'a player')]
  if (CHAT_EVENTS.test(pathOf(event)))
    return [new Unknown(ORIGIN.playerName | ORIGIN.userId, undefined, 'a chat message')]
  if (event.name === 'OnMessage' || event.origin & ORIGIN.network) {
    return [new Unknown(ORIGIN.network, undefined, 'a socket message')]
  }
  return event.name === 'CharacterAdded' ? [new Instance('Character', 'Character', event.owner, ORIGIN.character)] : []
}

const REMOTE_CALLS = new Set(['FireServer', 'InvokeServer', 'fireServer', 'invokeServer'])

/** Methods whose names leave no doubt, or little. */
function ofAnyObject({ run, object, name, args, site }: MethodCall): Results | undefined {
  const { findings } = run
  const path = object instanceof Instance ? pathOf(object) : (/^global (.+)/.exec(object.madeBy)?.[1] ?? '')
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
  if (object instanceof Unknown && object.madeBy === 'socket') return ofSocket({ run, object, name, args, site })
  return mayBeService(object) ? ofAnyService({ run, object, name, args, site }) : undefined
}

function ofSocket({ run, name, args, site }: MethodCall): Results | undefined {
  if (name !== 'Send' && name !== 'send') return undefined
  run.findings.addPlayerData(originOf(resultAt(args, 0)), 'code', site, 'WebSocket:Send')
  return results()
}

function callOther({ run, object, name, args, site }: MethodCall): Results {
  if (object instanceof Unknown) {
    const handler = resultAt(args, 0)
    if (CONNECTS.test(name)) {
      const isSocket = (object.origin & ORIGIN.network) !== 0
      const values = isSocket ? [new Unknown(ORIGIN.network, undefined, 'a socket message')] : []
      for (const option of optionsOf(handler)) connect(run, option, () => ({ values, rest: UNKNOWN }), site)
      return unknownResults()
    }
    if (name === 'Clone' || name === 'clone') return results(object)
    if (name === 'gsub' || name === 'gmatch') {
      const all = { values: [object, ...args.values], rest: args.rest }
      return run.call(new Library(`string.${name}`), all, site)
    }
    if (name === 'Start' && object.madeBy === 'request') {
      for (const option of optionsOf(resultAt(args, 0)))
        if (option instanceof Closure)
          run.schedule.defer(option, results(true, new Unknown(object.origin, undefined, 'download', object.source)))
      return unknownResults()
    }
    const { values } = callUnknown(run, args, site, new Unknown(object.origin & ~POWERS))
    return unknownResults(
      new Unknown(object.origin | originOf(values[0] ?? null), undefined, object.madeBy, object.source),
    )
  }
  run.hasWaited = true
  // The handlers of events and functions of the script get what it passes.
  const isPassing = /^(?:Fire|Invoke)$/.test(name)
  if (isPassing) run.passed |= originsOf(args.values)
  for (const value of args.values) {
    if (isPassing) run.useElsewhere(value)
    else handOver(run, value, site)
    run.findings.recordArgument(value, site.line)
  }
  if (/^(?:GetChildren|GetDescendants|getChildren|children|GetTagged|GetConnectedParts|QueryDescendants)$/.test(name)) {
    const madeBy = /TextChannels|TextChatService/.test(pathOf(object)) ? 'text channels' : ''
    return results(new Unknown((originOf(object) & ~PLAYER_BITS) | object.origin, undefined, madeBy))
  }
  if (/^(?:GetRoleInGroup|GetRoleInGroupAsync|GetFriendsAsync|GetJoinData|GetUserInfosByUserIdsAsync)$/.test(name))
    return results(new Unknown(ORIGIN.playerName | ORIGIN.userId, undefined, name))
  if (/^[GS]etAttribute$/.test(name)) {
    const [attribute, value = null] = args.values
    if (typeof attribute !== 'string') return unknownResults()
    if (name === 'SetAttribute') {
      run.properties.write(object, `attribute ${attribute}`, value)
      return results()
    }
    return results(run.properties.read(object, `attribute ${attribute}`) ?? UNKNOWN)
  }
  if (name === 'GetFullName') return results(new Unknown(isOfPlayer(object) ? ORIGIN.playerName : 0, undefined, 'text'))
  if (name === 'GetPlatform') return results(UNKNOWN)
  return unknownResults(new Unknown(object.origin))
}

/** A function that goes to a method of the engine is called by it. */
function handOver(run: Run, value: Value, site: Site): void {
  run.useElsewhere(value)
  for (const option of optionsOf(value)) {
    const isFunction = option instanceof Library && !isLibraryTable(option.path)
    if (isFunction && hasPower(option.path)) run.schedule.defer(option, unknownResults(), site)
    else if (originOf(option) & ORIGIN.hidden) run.findings.addOpaque(UNRESOLVED.handed, site)
  }
}

/** Whether a player or a character is this object or contains it. */
function isOfPlayer(object: Instance): boolean {
  for (let current: Instance | Unknown | undefined = object; current instanceof Instance; current = current.owner)
    if (current.className === 'Player' || current.className === 'Character') return true
  return false
}
