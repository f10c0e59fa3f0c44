import type { DemoHistory } from '#demo/types.ts'

export const gameHistories: Record<string, DemoHistory> = {
  'obby-checkpoints.luau': {
    notes: 'Stages cannot be skipped any more. Thanks to the girl in my Tuesday class who found out.',
    earlier: [
      {
        version: '1.5.0',
        daysAgo: 95,
        notes: 'Best time on the leaderboard.',
        since: [
          ['\n-- Stages cannot be skipped: touching 5 counts only for somebody who stands on 4.', ''],
          ['stage.Value ~= number - 1 then', 'stage.Value >= number then'],
        ],
      },
      {
        version: '1.2.0',
        daysAgo: 201,
        notes: 'Kill bricks, and the folder may be missing.',
        since: [
          [
            '-- Obby checkpoints: stages, kill bricks, and a best time for every player.',
            '-- Obby checkpoints: stages and kill bricks.',
          ],
          ['\n	local best = Instance.new("NumberValue")\n	best.Name = "Best"\n	best.Parent = leaderstats\n', ''],
          ['	startedAt[player] = os.clock()\n', ''],
          ['		if number == lastStage() then\n			finishRun(player)\n		end\n', ''],
          [
            'local function lastStage(): number\n	local last = 0\n	for _, child in checkpoints:GetChildren() do\n		last = math.max(last, tonumber(child.Name) or 0)\n	end\n	return last\nend\n\nlocal function finishRun(player: Player)\n	local start = startedAt[player]\n	local leaderstats = player:FindFirstChild("leaderstats")\n	local best = leaderstats and leaderstats:FindFirstChild("Best")\n	if not start or not best or not best:IsA("NumberValue") then\n		return\n	end\n	local seconds = math.floor((os.clock() - start) * 10) / 10\n	if best.Value == 0 or seconds < best.Value then\n		best.Value = seconds\n	end\n	startedAt[player] = nil\nend\n\n',
            '',
          ],
          ['local startedAt: { [Player]: number } = {}\n\n', ''],
          ['Players.PlayerRemoving:Connect(function(player)\n	startedAt[player] = nil\nend)\n', ''],
        ],
      },
      {
        version: '1.0.0',
        daysAgo: 270,
        notes: null,
        since: [
          ['-- Obby checkpoints: stages and kill bricks.', '-- Obby checkpoints: numbered stages.'],
          ["--   a folder 'KillBricks' (may be missing)\n", ''],
          ['local killBricks = workspace:FindFirstChild("KillBricks")\n', ''],
          [
            'local function onKillBrick(part: BasePart)\n	part.Touched:Connect(function(hit)\n		local model = hit:FindFirstAncestorOfClass("Model")\n		local humanoid = model and model:FindFirstChildOfClass("Humanoid")\n		if humanoid then\n			humanoid.Health = 0\n		end\n	end)\nend\n\n',
            '',
          ],
          [
            'if killBricks then\n	for _, child in killBricks:GetDescendants() do\n		if child:IsA("BasePart") then\n			onKillBrick(child)\n		end\n	end\nend\n\n',
            '',
          ],
        ],
      },
    ],
  },
  'wave-spawner.luau': {
    notes: 'Counts enemies that have not spawned yet in `EnemiesLeft`.',
    earlier: [
      {
        version: '2.1.0',
        daysAgo: 61,
        notes: 'Never more than forty enemies alive at a time.',
        since: [
          ['"EnemiesLeft", #list - index + countAlive())', '"EnemiesLeft", countAlive())'],
          ['for index, template in list', 'for _, template in list'],
        ],
      },
      {
        version: '2.0.0',
        daysAgo: 139,
        notes: 'Waves have a budget and enemies a cost. **Set the attribute `Cost` on your models.**',
        since: [
          ['local MAX_ALIVE = 40\n', ''],
          ['		while countAlive() >= MAX_ALIVE do\n			task.wait(0.5)\n		end\n', ''],
        ],
      },
      {
        version: '1.0.0',
        daysAgo: 226,
        notes: null,
        since: [
          [
            "-- Models may carry the attributes 'Cost' (default 1) and 'FirstWave' (default 1).",
            "-- Models may carry the attribute 'FirstWave' (default 1).",
          ],
          ['-- Buys enemies until the budget is spent: a few big ones or many small ones.\n', ''],
          [
            '	while #available > 0 do\n		local index = random:NextInteger(1, #available)\n		local template = available[index]\n		local cost = math.max(1, numberAttribute(template, "Cost", 1))\n		if cost > budget then\n			table.remove(available, index)\n		else\n			budget -= cost\n			table.insert(list, template)\n		end\n	end\n',
            '	for _ = 1, if #available > 0 then budget else 0 do\n		table.insert(list, available[random:NextInteger(1, #available)])\n	end\n',
          ],
        ],
      },
    ],
  },
  'day-night-cycle.luau': {
    notes: 'Street lamps: tag them with `StreetLamp`.',
    earlier: [
      {
        version: '1.0.0',
        daysAgo: 158,
        notes: null,
        since: [
          ["-- Lamps: tag parts that hold a light with 'StreetLamp' and they switch with the dusk.\n", ''],
          ['local CollectionService = game:GetService("CollectionService")\n', ''],
          ['local LAMP_TAG = "StreetLamp"\n', ''],
          [
            'local function setLamp(lamp: Instance, isOn: boolean)\n	for _, descendant in lamp:GetDescendants() do\n		if descendant:IsA("Light") then\n			descendant.Enabled = isOn\n		end\n	end\n	if lamp:IsA("BasePart") then\n		lamp.Material = if isOn then Enum.Material.Neon else Enum.Material.Glass\n	end\nend\n\nlocal areLampsOn: boolean?\n\n',
            '',
          ],
          [
            '\n	local isDark = hour < SUNRISE or hour > SUNSET\n	if isDark ~= areLampsOn then\n		areLampsOn = isDark\n		for _, lamp in CollectionService:GetTagged(LAMP_TAG) do\n			setLamp(lamp, isDark)\n		end\n	end\n',
            '',
          ],
          [
            'CollectionService:GetInstanceAddedSignal(LAMP_TAG):Connect(function(lamp)\n	setLamp(lamp, areLampsOn == true)\nend)\n\n',
            '',
          ],
        ],
      },
    ],
  },
  'score-board.luau': {
    notes: 'All servers of a game share the ten best rounds. Enter the address of your own server.',
    earlier: [
      {
        version: '1.0.0',
        daysAgo: 181,
        notes: null,
        since: [
          ['rounds and shares them with all servers of your game.', 'rounds of a server.'],
          [
            ' Turn on HTTP requests in the game settings first.\n-- It sends the name and the points of a player to SERVER, which has to be yours.\n',
            '\n',
          ],
          ['local HttpService = game:GetService("HttpService")\n', ''],
          ['local SERVER = "https://scores.example.com/rounds"\n', ''],
          [
            'local function share(row: Row)\n	local ok, problem = pcall(function()\n		return HttpService:PostAsync(SERVER, HttpService:JSONEncode(row))\n	end)\n	if not ok then\n		warn(`The score was not shared: {problem}`)\n	end\nend\n\n',
            '',
          ],
          [
            '	local row = { name = player.Name, points = points }\n	add(row)\n	task.spawn(share, row)\n',
            '	add({ name = player.Name, points = points })\n',
          ],
        ],
      },
    ],
  },
}
