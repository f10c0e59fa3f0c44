// Functions that are global in Luau, Roblox or executors, by the path that names them.
import type { CapabilityId } from './capabilities.ts'
import { ORIGIN } from './origins.ts'

export interface FunctionRule {
  capability?: CapabilityId
  /** Only executors have it. */
  isExecutor?: true
  /** Origin of what it returns. */
  origin?: number
}

const RULES = new Map<string, FunctionRule>()

/** Registers functions, given as words; `a.b` is the function b of the table a. */
function register(words: string, rule: FunctionRule): void {
  for (const path of words.trim().split(/\s+/)) RULES.set(path, rule)
}
const executor = (words: string, rule: FunctionRule = {}) => register(words, { ...rule, isExecutor: true })

export const REQUEST_FUNCTIONS = new Set(
  'request http_request http.request syn.request fluxus.request krnl.request Krnl.request syn_request delta.request solara.request'.split(
    ' ',
  ),
)
executor([...REQUEST_FUNCTIONS].join(' '))
export const GET_FUNCTIONS = new Set('httpget http_get HttpGet httpGet http.get syn.httpget'.split(' '))
export const POST_FUNCTIONS = new Set('httppost http_post HttpPost httpPost http.post'.split(' '))
executor([...GET_FUNCTIONS, ...POST_FUNCTIONS].join(' '))
export const SOCKET_FUNCTIONS = new Set(
  'WebSocket.connect WebSocket.Connect WebSocket.new websocket.connect syn.websocket.connect syn.WebSocket.connect Krnl.WebSocket.connect krnl.WebSocket.connect WebsocketClient.new fluxus.websocket.connect'.split(
    ' ',
  ),
)
executor([...SOCKET_FUNCTIONS].join(' '))

/** Functions that run code they get when the player teleports. */
export const PERSIST_FUNCTIONS = new Set(
  'queue_on_teleport queueonteleport queueteleport syn.queue_on_teleport fluxus.queue_on_teleport krnl.queue_on_teleport'.split(
    ' ',
  ),
)
executor([...PERSIST_FUNCTIONS].join(' '), { capability: 'code.persist' })

executor('getobjects', { capability: 'code.asset' })
executor('readfile', { capability: 'fs.read', origin: ORIGIN.file })
executor('loadfile dofile dofileasync listfiles isfile isfolder', { capability: 'fs.read' })
executor('writefile appendfile makefolder', { capability: 'fs.write' })
executor('delfile delfolder deletefile deletefolder', { capability: 'fs.delete' })
executor(
  'setclipboard toclipboard set_clipboard setrbxclipboard write_clipboard Clipboard.set clipboard.set syn.write_clipboard syn.set_clipboard',
  { capability: 'user.clipboard' },
)
executor('gethwid get_hwid gethardwareid getmachineid get_machine_id fluxus.get_hwid', {
  capability: 'user.identity',
  origin: ORIGIN.machineId,
})
executor('getclipboard', { origin: ORIGIN.clipboard })
executor('getcookie get_cookie getcookies', { origin: ORIGIN.cookie })
executor(
  `keypress keyrelease keytap keyclick mouse1click mouse1press mouse1release mouse2click mouse2press mouse2release
  mousemoverel mousemoveabs mousemove mousescroll Input.KeyPress Input.KeyDown Input.KeyUp Input.LeftClick Input.RightClick
  Input.MoveMouse Input.ScrollMouse Input.KeyRelease`,
  { capability: 'user.input' },
)
executor(
  `hookfunction hookfunc replaceclosure replacefunction detour_function detourfunction hookmetamethod hooksignal
  newcclosure new_c_closure setreadonly set_readonly make_writeable makewriteable make_writable makewritable setrawmetatable
  set_raw_metatable setupvalue setconstant setproto setstack setnamecallmethod set_namecall_method restorefunction
  debug.setupvalue debug.setconstant debug.setproto debug.setstack debug.setname syn.oth.hook oth.hook
  syn.hook_function`,
  { capability: 'client.hook' },
)
executor(
  `getgc get_gc_objects getgarbagecollector filtergc getreg getregistry getsenv getmenv getconnections get_signal_cons
  getloadedmodules get_loaded_modules getnilinstances get_nil_instances getscripts getrunningscripts decompile
  getscriptbytecode dumpstring getscriptclosure getscriptfunction getcallbackvalue getupvalue getupvalues getconstant
  getconstants getproto getprotos getstack debug.getupvalue debug.getupvalues debug.getconstant debug.getconstants
  debug.getproto debug.getprotos debug.getstack debug.getregistry debug.getmetatable debug.getconnections saveinstance
  getactors getinstances`,
  { capability: 'client.inspect' },
)
executor(
  `identifyexecutor getexecutorname getgenv getrenv gethui get_hidden_gui gethiddengui cloneref clonefunction compareinstances
  checkcaller iscclosure islclosure isexecutorclosure is_synapse_function isexecutorfunction checkclosure newlclosure
  getnamecallmethod get_namecall_method getrawmetatable isreadonly is_readonly make_readonly makereadonly firetouchinterest
  fireclickdetector fireproximityprompt firesignal fire_signal replicatesignal sethiddenproperty set_hidden_property
  gethiddenproperty get_hidden_property setscriptable isscriptable set_simulation_radius setsimulationradius
  getsimulationradius isnetworkowner getcallingscript getscripthash getcustomasset getsynasset getthreadidentity setthreadidentity
  getidentity setidentity getthreadcontext setthreadcontext firetouchtransmitter setfflag getfflag isluau
  getproperties gethiddenproperties getfunctionhash getscriptname is_protosmasher_caller getlocalplayer
  debug.getinfo debug.isvalidlevel debug.setmetatable getsimulationradius is_sirhurt_closure getpropvalue setpropvalue setfpscap getfpscap protectgui protect_gui
  unprotect_gui syn.protect_gui syn.unprotect_gui syn.get_thread_identity syn.set_thread_identity syn.is_cached
  syn.cache_replace isrbxactive isgameactive messagebox messageboxasync rconsoleprint rconsolename rconsoleclear
  rconsoleinput rconsolecreate rconsoledestroy rconsolesettitle rconsolewarn rconsoleerr rconsoleinfo consoleprint
  consolecreate consoleclear Drawing.new Drawing.clear cleardrawcache getrenderproperty setrenderproperty isrenderobj
  cache.invalidate cache.iscached cache.replace crypt.encrypt crypt.decrypt crypt.hash crypt.generatekey crypt.generatebytes
  crypt.base64encode crypt.base64decode crypt.base64_encode crypt.base64_decode crypt.base64.encode crypt.base64.decode
  base64_encode base64_decode base64encode base64decode base64.encode base64.decode syn.crypt.base64.encode
  syn.crypt.base64.decode syn.crypt.encrypt syn.crypt.decrypt syn.crypt.hash lz4compress lz4decompress getspecialinfo
  gettenv secure_call syn.secure_call run_on_actor create_comm_channel get_comm_channel
  isourclosure is_our_closure`,
)

export const BASE64_DECODERS = new Set([...RULES.keys()].filter((path) => /base64/.test(path) && /decode/.test(path)))

/** Global tables of executors, which scripts test before they use them. */
const EXECUTOR_TABLES = new Set(
  [...RULES.keys()].filter((path) => path.includes('.')).map((path) => path.split('.')[0] ?? ''),
)
EXECUTOR_TABLES.delete('debug')

const ROBLOX_GLOBALS = new Set(
  `assert error pcall xpcall print warn require loadstring load select type typeof tonumber tostring pairs ipairs next
  unpack rawget rawset rawequal rawlen setmetatable getmetatable getfenv setfenv newproxy collectgarbage gcinfo tick time
  elapsedTime wait delay spawn Wait Delay Spawn game Game workspace Workspace script shared plugin settings UserSettings
  version printidentity string table math bit32 utf8 os coroutine debug task buffer vector Instance Enum Vector2 Vector3
  Vector2int16 Vector3int16 CFrame Color3 BrickColor UDim UDim2 Rect Region3 Region3int16 Ray TweenInfo NumberRange
  NumberSequence NumberSequenceKeypoint ColorSequence ColorSequenceKeypoint Random DateTime PhysicalProperties Faces Axes
  RaycastParams OverlapParams Font PathWaypoint DockWidgetPluginGuiInfo CatalogSearchParams SharedTable ypcall stats`.split(
    /\s+/,
  ),
)

/** Functions that run code, or give the environment or functions of other scripts. */
const GATES = new Set(
  `loadstring load require getfenv setfenv getgenv getrenv gettenv getrawmetatable debug
  getcallingscript secure_call syn.secure_call run_on_actor`.split(/\s+/),
)

/** Whether a function or a table of functions can do something outside of the script. */
export const hasPower = (path: string): boolean =>
  GATES.has(path) ||
  EXECUTOR_TABLES.has(path) ||
  REACHING.has(path) ||
  RULES.get(path)?.capability !== undefined ||
  RULES.get(path)?.origin !== undefined

const REACHING = new Set([...REQUEST_FUNCTIONS, ...GET_FUNCTIONS, ...POST_FUNCTIONS, ...SOCKET_FUNCTIONS])

const ROBLOX_TABLES = new Set(
  'string table math bit32 utf8 os coroutine debug task buffer vector Instance Enum'.split(' '),
)

/** Whether a global is a table of functions. */
export const isLibraryTable = (name: string): boolean => ROBLOX_TABLES.has(name) || EXECUTOR_TABLES.has(name)

export const listRules = (): [path: string, rule: FunctionRule][] => [...RULES]
export const findRule = (path: string): FunctionRule | undefined => RULES.get(path)
export const isRobloxGlobal = (name: string): boolean => ROBLOX_GLOBALS.has(name)
export const isExecutorGlobal = (name: string): boolean =>
  EXECUTOR_TABLES.has(name) || RULES.get(name)?.isExecutor === true
