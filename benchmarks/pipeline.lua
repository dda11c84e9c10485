-- wrk script: each write holds DEPTH requests (first argument after --).
local depth
function init(args)
    depth = tonumber(args[1])
    local requests = {}
    for at = 1, depth do
        requests[at] = wrk.format("GET")
    end
    all = table.concat(requests)
end
function request()
    return all
end
