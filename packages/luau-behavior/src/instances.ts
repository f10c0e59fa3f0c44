// Roblox objects: the roots, and the values of their members.
import { ORIGIN } from './origins.ts'
import { Instance, Unknown, UNKNOWN, type Value } from './values.ts'

const ROOTS: Record<string, Instance> = {
  game: new Instance('DataModel', 'game'),
  Game: new Instance('DataModel', 'game'),
  workspace: new Instance('Workspace', 'workspace'),
  Workspace: new Instance('Workspace', 'workspace'),
  script: new Instance('Script', 'script'),
}
const PLAYER = new Instance('Player', 'LocalPlayer')
const CHARACTER = new Instance('Character', 'Character', PLAYER, ORIGIN.character)

export const rootInstance = (name: string): Instance | undefined =>
  Object.hasOwn(ROOTS, name) ? ROOTS[name] : undefined

const SERVICES = new Set(
  `Players HttpService MarketplaceService TeleportService ReplicatedStorage ReplicatedFirst StarterGui StarterPack
  StarterPlayer Lighting RunService UserInputService TweenService TextChatService Chat CoreGui InsertService SoundService
  RbxAnalyticsService VirtualUser VirtualInputManager GuiService ContextActionService CollectionService Debris Teams Stats
  LocalizationService NetworkClient LogService ContentProvider ScriptContext PathfindingService PhysicsService GroupService
  BadgeService SocialService PolicyService VRService MessagingService DataStoreService MemoryStoreService AssetService
  ExperienceService Workspace`.split(/\s+/),
)

const DATA_OF_PLAYER: Record<string, number> = {
  Name: ORIGIN.playerName,
  DisplayName: ORIGIN.displayName,
  UserId: ORIGIN.userId,
  userId: ORIGIN.userId,
  CharacterAppearanceId: ORIGIN.userId,
  AccountAge: ORIGIN.accountAge,
  MembershipType: ORIGIN.accountAge,
  FollowUserId: ORIGIN.userId,
  LocaleId: ORIGIN.machine,
  OsPlatform: ORIGIN.machine,
}

export function indexInstance(object: Instance, key: Value): Value {
  if (object.className === 'Players') return indexPlayers(key)
  // The name of a property may choose data about a player.
  if (typeof key !== 'string')
    return new Instance('', '', object, object.origin | (object.className === 'Player' ? ORIGIN.hidden : 0))
  if (object.className === 'DataModel') {
    if (key === 'JobId' || key === 'PrivateServerId') return new Unknown(ORIGIN.serverId, undefined, key)
    if (key === 'PrivateServerOwnerId') return new Unknown(ORIGIN.userId, undefined, key)
    if (key === 'PlaceId' || key === 'GameId' || key === 'PlaceVersion' || key === 'CreatorId') return UNKNOWN
    if (SERVICES.has(key)) return new Instance(key)
  }
  if (object.className === 'Player') {
    const origin = DATA_OF_PLAYER[key]
    if (origin !== undefined) return new Unknown(origin, undefined, key)
    if (key === 'Character') return new Instance('Character', 'Character', object, ORIGIN.character)
  }
  if (object.className === 'Character' && key === 'Name') return new Unknown(ORIGIN.playerName, undefined, key)
  if (object.className === 'LocalizationService' && key.endsWith('LocaleId'))
    return new Unknown(ORIGIN.machine, undefined, key)
  if (object.origin & ORIGIN.character && key === 'DisplayName') return new Unknown(ORIGIN.displayName, undefined, key)
  if (key === 'Parent' && object.owner instanceof Instance) return object.owner
  if (key === 'CameraSubject') return new Instance('', key, CHARACTER, ORIGIN.character)
  return new Instance('', key, object, object.origin)
}

const MEMBERS_OF_PLAYERS = new Set(
  'PlayerAdded PlayerRemoving GetPlayers GetPlayerFromCharacter GetPlayerByUserId GetNameFromUserIdAsync GetUserIdFromNameAsync GetUserThumbnailAsync Chat MaxPlayers NumPlayers PreferredPlayers RespawnTime CharacterAutoLoads'.split(
    ' ',
  ),
)

function indexPlayers(key: Value): Value {
  if (key === 'LocalPlayer' || key === 'localPlayer') return PLAYER
  if (typeof key === 'string' && MEMBERS_OF_PLAYERS.has(key)) return new Instance('', key, new Instance('Players'))
  return new Instance('Player', typeof key === 'string' ? key : 'a player')
}

/** Names of an object and of those that it is in, outermost first. */
export function pathOf(object: Instance): string {
  const names: string[] = []
  for (
    let current: Instance | Unknown | undefined = object;
    current instanceof Instance && names.length < 8;
    current = current.owner
  ) {
    names.unshift(current.name)
  }
  return names.join('.')
}
