package rules

// elsewhere maps words of other languages, and words that people try first, to the word of
// this language with the same meaning. The words come from HTML, Content-Security-Policy,
// content blockers, Fetch destinations, and file extensions. The parser accepts none of them.
// They make better hints than the nearest spelling does.
var elsewhere = map[string]string{
	"img": string(TypeImage), "picture": string(TypeImage), "svg": string(TypeImage), "png": string(TypeImage), "gif": string(TypeImage), "jpg": string(TypeImage),
	"js": string(TypeScript), "mjs": string(TypeScript), "javascript": string(TypeScript), "module": string(TypeScript),
	"css": string(TypeStyle), "stylesheet": string(TypeStyle),
	"xhr": string(TypeFetch), "xmlhttprequest": string(TypeFetch), "ajax": string(TypeFetch), "connect": string(TypeFetch), "json": string(TypeFetch), "api": string(TypeFetch),
	"eventsource": string(TypeFetch), "sse": string(TypeFetch), "beacon": string(TypeFetch), "ping": string(TypeFetch),
	"iframe": string(TypeFrame), "document": string(TypeFrame), "subdocument": string(TypeFrame), "sub_frame": string(TypeFrame), "html": string(TypeFrame), "navigation": string(TypeFrame),
	"video": string(TypeMedia), "audio": string(TypeMedia), "track": string(TypeMedia), "mp4": string(TypeMedia), "mp3": string(TypeMedia),
	"woff": string(TypeFont), "woff2": string(TypeFont), "ttf": string(TypeFont),
	"serviceworker": string(TypeWorker), "sharedworker": string(TypeWorker), "webworker": string(TypeWorker),
	"ws": string(TypeWebSocket), "wss": string(TypeWebSocket), "socket": string(TypeWebSocket),

	"del": "DELETE", "remove": "DELETE",

	"unsafe-inline": string(ScriptInline), "'unsafe-inline'": string(ScriptInline),
	"unsafe-eval": string(ScriptEval), "'unsafe-eval'": string(ScriptEval),
	"wasm-unsafe-eval": string(ScriptWasm), "'wasm-unsafe-eval'": string(ScriptWasm), "webassembly": string(ScriptWasm),

	"deny": "block", "disallow": "block", "reject": "block", "permit": "allow", "accept": "allow",
	"report": string(ModeAudit), "log": string(ModeAudit), "warn": string(ModeAudit),
}

// everything lists the words by which authors mean all methods or all types.
var everything = []string{"*", "**", "all", "any"}
