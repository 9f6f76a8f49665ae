package house

// An arrow says which packages of ours a package may import, and why.
type arrow struct {
	to  []string // packages of ours
	why string
}

// arrows has a row for every package of the repository. "." is the root.
var arrows = map[string]arrow{
	".":                          {[]string{"cli"}, "main is one line; the command line is a package, so that it can be tested"},
	"cli":                        {[]string{"btcp", "cli/deployment", "compile", "firewall", "internal/version", "mcpapps", "packages", "packages/manifest", "protocol", "rules", "rules/browser", "selftest", "server", "vfs"}, "reads files and flags, and shows what the others say"},
	"cli/deployment":             {[]string{"firewall", "protocol", "server"}, "asks a server for what it should answer, and knows what that is"},
	"server":                     {[]string{"btcp", "client", "compile", "firewall", "host-page", "inner-frame", "internal/page", "mcpapps", "outer-frame", "packages", "packages/npm", "packages/resolve", "protocol", "rules", "rules/browser", "sandbox", "selftest", "server/api", "static", "sw", "vfs"}, "the one place that wires everything together"},
	"server/api":                 {[]string{"btcp", "compile", "firewall", "mcpapps", "packages/npm", "protocol", "rules", "sandbox", "vfs"}, "the HTTP API by the methods of sandboxes, without the web framework and without the server; of btcp, firewall and mcpapps it takes bodies, and of packages/npm how a package is named"},
	"sandbox":                    {[]string{"btcp", "compile", "compile/child", "firewall", "protocol", "rules", "rules/browser", "vfs"}, "what a sandbox is, without HTTP: whoever serves it comes to it by its methods; of btcp it takes what isolates an execution"},
	"compile/child":              {[]string{"compile/transform", "packages/npm", "packages/prebundle"}, "runs the transforms and the bundler in another process"},
	"selftest":                   {[]string{"escape", "internal/page"}, "runs the hostile code that is data in a visitor's browser; sandboxes come by an interface of its own"},
	"examples/mcp-host":          {[]string{"examples/mcp-host/palette", "mcpapps", "server"}, "a program as somebody else would write it, and so by what is public"},
	"examples/mcp-host/palette":  {nil, "an MCP server as anybody writes one; it knows no host"},
	"examples/viewer":            {[]string{"protocol", "rules", "server", "vfs"}, "a program as somebody else would write it, and so by what is public"},
	"sw":                         {[]string{"protocol", "rules", "vfs"}, "the worker decides by the rules' program and serves the files"},
	"static":                     {[]string{"protocol", "vfs"}, "what a static server answers with; of protocol it takes the client script's path"},
	"firewall":                   {[]string{"firewall/internal/defenses", "rules", "rules/browser"}, "turns rules into headers; knows nothing of who sends them"},
	"btcp":                       {[]string{"firewall", "rules"}, "turns capabilities into what the browser is told; knows no server"},
	"mcpapps":                    {[]string{"firewall", "rules", "rules/browser"}, "turns a declaration into a policy; knows no server"},
	"rules":                      {[]string{"rules/browser", "rules/program", "rules/rule"}, "the language: it reads a policy, and compiles it to both forms"},
	"rules/browser":              {[]string{"rules/rule"}, "what a browser is told of a policy; knows no YAML and no headers"},
	"rules/program":              {[]string{"rules/rule"}, "the form that decides, for Go and for the worker; knows no YAML"},
	"rules/rule":                 {nil, "a leaf: what a policy says, and the one spelling of a URL"},
	"compile":                    {[]string{"compile/transform", "packages/nodejs", "protocol", "vfs"}, "turns files into what a browser runs; knows no sandbox"},
	"compile/transform":          {[]string{"protocol"}, "one source by esbuild; of protocol it takes the shape of a diagnostic"},
	"vfs":                        {nil, "a leaf: files, hashes and snapshots"},
	"packages":                   {[]string{"compile/child", "packages/cache", "packages/manifest", "packages/npm", "packages/prebundle", "packages/resolve", "packages/starter"}, "what an application can import, from a registry or a folder; knows no sandbox and no server"},
	"packages/nodejs":            {nil, "a leaf: the modules of Node.js"},
	"packages/cache":             {nil, "a leaf: verified files on disk"},
	"packages/commonjs":          {nil, "a leaf: which names CommonJS exports"},
	"packages/manifest":          {nil, "a leaf: reads and edits package.json"},
	"packages/npm":               {[]string{"packages/cache"}, "asks registries, and keeps what they say"},
	"packages/prebundle":         {[]string{"packages/nodejs", "packages/commonjs"}, "makes ES modules of one package; knows no registry"},
	"packages/registrytest":      {nil, "a registry for tests, which shares no code with what asks it"},
	"packages/starter":           {nil, "a leaf: which packages are pinned for everybody"},
	"packages/resolve":           {[]string{"packages/npm"}, "chooses versions, by what npm says of them"},
	"protocol":                   {nil, "a leaf: the shapes of messages, which both sides share"},
	"inner-frame":                {[]string{"internal/page", "protocol"}, "one page of ours, rendered"},
	"outer-frame":                {[]string{"internal/page", "protocol"}, "one page of ours, rendered"},
	"client/pack":                {[]string{"client", "internal/version", "protocol", "sw"}, "writes the npm package: it bundles the library and what is around it"},
	"internal/version":           {nil, "a leaf: the one place for the version"},
	"client":                     {nil, "a leaf: the browser library is TypeScript, and what the server does with it is the server's business"},
	"host-page":                  {[]string{"internal/page", "protocol"}, "one page of ours, rendered"},
	"internal/page":              {nil, "how each page of ours is rendered: template, one script, one style"},
	"firewall/firewalltest":      {[]string{"firewall", "firewall/internal/defenses"}, "takes single defenses away, so that a test shows what each one stops"},
	"firewall/browsermodel":      {[]string{"rules"}, "what a browser makes of the headers, for tests; of rules it takes the words for types"},
	"protocol/typescript":        {nil, "renders Go types as TypeScript, for golden tests"},
	"escape":                     {nil, "a leaf: hostile code, which is data to whoever runs it"},
	"rules/vectors":              {[]string{"rules"}, "reads the decision vectors for whoever must agree on them"},
	"tests":                      {nil, "the map of the families, without code"},
	"tests/apiclient":            {[]string{"server", "tests/internal/browser", "tests/internal/glass", "tests/internal/repository"}, "runs a program that knows the document of the HTTP API alone, and shows in a browser what it pushes"},
	"tests/attack":               {[]string{"mcpapps", "protocol", "server", "tests/internal/browser", "tests/internal/canary", "tests/internal/command", "tests/internal/glass"}, "plays attackers against a server; of ours it takes what server.Config is given, and the names of headers and paths"},
	"tests/compile":              {[]string{"packages", "packages/starter", "protocol", "sandbox", "server", "vfs", "tests/internal/browser", "tests/internal/chromium", "tests/internal/command", "tests/internal/components", "tests/internal/glass", "tests/internal/npm", "tests/internal/process"}, "changes files as a program does, and reads what the page says"},
	"tests/boot":                 {[]string{"protocol", "rules", "selftest", "server", "sw", "vfs", "tests/internal/browser", "tests/internal/canary", "tests/internal/chromium", "tests/internal/command", "tests/internal/glass", "tests/internal/nocors"}, "looks at a view from outside; rules for the levels of containment, selftest for the report of its page, sw to pack a state of another protocol, vfs for changes"},
	"tests/execute":              {[]string{"protocol", "server", "tests/internal/browser", "tests/internal/canary", "tests/internal/chromium", "tests/internal/command", "tests/internal/glass"}, "asks for executions as programs do: in Go, over HTTP, on the command line"},
	"tests/files":                {[]string{"protocol", "server", "vfs", "tests/internal/browser", "tests/internal/canary", "tests/internal/glass", "tests/internal/nocors", "tests/internal/npm"}, "reads files as pages do; vfs for snapshots, npm for what the first paint is measured beside"},
	"tests/house":                {[]string{"tests/internal/repository"}, "reads the sources of all, and imports none"},
	"tests/library":              {[]string{"firewall", "protocol", "rules", "server", "vfs", "tests/internal/browser", "tests/internal/command", "tests/internal/glass"}, "is an embedder; firewall for the permissions that a page can grant, rules and vfs for what a Spec is given"},
	"tests/load":                 {[]string{"protocol", "server", "vfs", "tests/internal/apps", "tests/internal/browser", "tests/internal/canary", "tests/internal/command", "tests/internal/firefox", "tests/internal/glass"}, "floods a server and races with it, by browsers that it ends and wakes itself"},
	"tests/mapping":              {[]string{"firewall", "protocol", "rules", "rules/browser", "server", "sw", "tests/internal/browser", "tests/internal/canary", "tests/internal/glass", "tests/internal/repository"}, "holds what rules and firewall decide against the browsers; protocol and sw to bundle the worker's decision for each engine"},
	"tests/mcp":                  {[]string{"btcp", "mcpapps", "protocol", "server", "tests/internal/browser", "tests/internal/canary", "tests/internal/command", "tests/internal/glass", "tests/internal/mcp", "tests/internal/nocors", "tests/internal/repository"}, "is an MCP host and a BTCP client; repository for the documents whose lines it runs"},
	"tests/npmpackage":           {[]string{"server", "tests/internal/glass", "tests/internal/npm", "tests/internal/repository"}, "is a project that installs the package: in Node.js, in a page, and for the compiler"},
	"tests/openapi":              {[]string{"tests/internal/npm", "tests/internal/repository"}, "runs the linter on the document, and imports nothing that makes it"},
	"tests/types":                {[]string{"tests/internal/npm", "tests/internal/repository"}, "runs the compiler on the sources, and imports none"},
	"tests/written":              {[]string{"packages", "server", "tests/internal/command", "tests/internal/components", "tests/internal/glass"}, "gives sandboxes the packages that programs import"},
	"tests/agree":                {[]string{"firewall", "firewall/browsermodel", "rules", "rules/browser", "rules/rule", "sw"}, "holds the four answers to one request together"},
	"tests/internal/escaping":    {[]string{"escape", "firewall", "mcpapps", "protocol", "rules", "server", "vfs", "tests/internal/canary", "tests/internal/netns"}, "hostile code in a sandbox, started as anybody would"},
	"tests/escape/chromium":      {[]string{"escape", "tests/internal/browser", "tests/internal/chromium", "tests/internal/escaping"}, "how to drive it, and what is known to get out of it"},
	"tests/escape/firefox":       {[]string{"escape", "tests/internal/escaping", "tests/internal/firefox"}, "how to drive it, and what is known to get out of it"},
	"tests/escape/webkit":        {[]string{"escape", "tests/internal/escaping", "tests/internal/webkit"}, "how to drive it, and what is known to get out of it"},
	"tests/internal/stormclient": {nil, "what clients do to a server, in a process of its own"},
	"tests/internal/stormserver": {[]string{"rules", "server", "vfs"}, "a program that serves sandboxes as somebody's own service would"},
	"tests/install":              {[]string{"packages", "tests/internal/apps", "tests/internal/chromium", "tests/internal/npm", "tests/internal/programs"}, "runs before anything else is there"},
	"tests/slowest":              {nil, "runs go test, and knows nothing of what is tested"},
	"tests/internal/components":  {nil, "a leaf: the sources of a project"},
	"tests/internal/apps":        {[]string{"tests/internal/npm"}, "what applications are and must show, without the product and the browser"},
	"tests/internal/browser":     {[]string{"tests/internal/chromium", "tests/internal/npm", "tests/internal/nss"}, "knows the browser and not the product"},
	"tests/internal/glass":       {[]string{"rules", "server", "vfs", "tests/internal/browser", "tests/internal/chromium", "tests/internal/devtools", "tests/internal/firefox", "tests/internal/repository", "tests/internal/webkit"}, "starts a server and shows it in browsers, for the families; rules and vfs only for what a Spec is given"},
	"tests/internal/nss":         {[]string{"tests/internal/programs"}, "one store for both browsers that read it"},
	"tests/internal/nocors":      {[]string{"protocol", "server", "tests/internal/browser", "tests/internal/canary", "tests/internal/glass"}, "one page and the answers to it, for the families that load from elsewhere"},
	"tests/internal/mcpserver":   {nil, "an MCP server for tests of hosts, which knows none of them"},
	"tests/internal/mcp":         {[]string{"tests/internal/npm"}, "other people's MCP hosts and servers, without the product"},
	"tests/internal/devtools":    {[]string{"tests/internal/chromium", "tests/internal/process", "tests/internal/remote"}, "knows the browser and not the product"},
	"tests/internal/firefox":     {[]string{"tests/internal/nss", "tests/internal/process", "tests/internal/programs", "tests/internal/remote"}, "knows the browser and not the product"},
	"tests/internal/remote":      {nil, "knows the protocols and no browser"},
	"tests/internal/webkit":      {[]string{"tests/internal/process", "tests/internal/programs", "tests/internal/remote"}, "knows the browser and not the product"},

	// Leaves: helpers that know nothing of the product.
	"tests/internal/canary":      {nil, "what decides must not share code with what it judges"},
	"tests/internal/command":     {nil, "runs the built program, and knows it only as a program"},
	"tests/internal/chromium":    {nil, "the installer and the driver ask the same question"},
	"tests/internal/netns":       {nil, "a network for whoever asks"},
	"tests/internal/npm":         {nil, "pinned packages and where they lie"},
	"tests/internal/process":     {nil, "ends what a driver has started, and knows no browser"},
	"tests/internal/repository":  {nil, "knows where the sources and documents are, and nothing of what they say"},
	"tests/internal/programs":    {nil, "the installer and the drivers ask the same questions"},
	"firewall/internal/defenses": {nil, "the one list of defenses"},
	"internal/testca":            {nil, "an authority for whoever asks"},
	"tests/address":              {[]string{"server", "tests/internal/browser", "tests/internal/firefox", "tests/internal/glass", "tests/internal/proxies"}, "serves over TLS, at names of its own, in browsers that know them"},
	"tests/internal/proxies":     {[]string{"tests/internal/process", "tests/internal/programs", "tests/internal/repository"}, "other people's proxies, with the configurations of our documents"},
}

// inTestsToo lists what a package's test files may import in addition to its own arrow.
var inTestsToo = map[string]arrow{
	"compile":       {[]string{"compile/child"}, "its tests compile hostile files"},
	"compile/child": {[]string{"protocol"}, "its tests look at diagnostics"},
	"firewall":      {[]string{"rules/rule"}, "its tests draw URLs for the targets of rules"},
	"rules/browser": {[]string{"rules"}, "its tests write policies as authors do"},
	"rules/program": {[]string{"rules"}, "its tests write policies as authors do"},
	"sw":            {[]string{"firewall", "host-page", "outer-frame", "rules/rule", "static"}, "its tests hold the worker's decisions against Go's, and run in Node what reads messages in the outer frame and what shows text on the host page"},
}

// forTestFiles lists packages of ours that any _test.go file may import. Other files may
// import them only in packages below tests.
var forTestFiles = map[string]string{
	"firewall/browsermodel": "it judges what the firewall writes",
	"firewall/firewalltest": "it weakens the firewall on purpose",
	"internal/testca":       "it signs certificates for any name",
	"packages/registrytest": "it serves packages that a test makes up",
	"protocol/typescript":   "it writes generated code",
	"rules/vectors":         "everybody who decides reads the same vectors",
	"tests/internal/canary": "the compiler keeps it to the packages below tests",
}

// An owner says where a third-party module may be imported.
type owner struct {
	by        []string // packages of ours, with their test files
	testFiles bool     // whether any _test.go file may import it, too
	why       string
}

// modules has a row for every module that is imported.
var modules = map[string]owner{
	"github.com/labstack/echo/v4":                   {by: []string{"server"}, why: "everything else is free of the web framework"},
	"github.com/evanw/esbuild":                      {by: []string{"compile/transform", "packages/prebundle", "sw", "tests/internal/mcp", "tests/npmpackage"}, why: "one bundler: for our own scripts, for the sources of sandboxes, for packages, and for the pages of MCP hosts and of React that tests need"},
	"deps.dev/util/semver":                          {by: []string{"packages/npm"}, why: "one authority on npm's ranges"},
	"github.com/dop251/goja":                        {by: []string{"packages/commonjs"}, why: "parses CommonJS; nothing is evaluated"},
	"github.com/gobwas/glob":                        {by: []string{"rules", "rules/program", "tests/agree"}, why: "one authority on globs"},
	"go.yaml.in/yaml/v4":                            {by: []string{"cli", "rules"}, why: "one parser of policies, and one of settings, with positions"},
	"github.com/agnivade/levenshtein":               {by: []string{"rules"}, why: "names the nearest known key"},
	"github.com/go-sourcemap/sourcemap":             {by: []string{"compile", "compile/transform"}, why: "where in its source a place in a script comes from"},
	"github.com/hashicorp/golang-lru/v2":            {by: []string{"compile"}, why: "which result goes first"},
	"github.com/tailscale/hujson":                   {by: []string{"compile"}, why: "a tsconfig.json has comments"},
	"golang.org/x/sync":                             {by: []string{"compile", "packages", "packages/resolve"}, why: "several sources, downloads, and bundles at a time"},
	"golang.org/x/net":                              {by: []string{"cli", "compile", "rules", "rules/browser", "server", "tests/internal/canary"}, why: "idna and publicsuffix, for hosts in patterns and of sandboxes; html, for import maps, and for the module that a page begins with; names and datagrams, for the canary"},
	"github.com/go-json-experiment/json":            {by: []string{"mcpapps", "server", "server/api"}, why: "reads JSON strictly, and says where: encoding/json takes names twice, in any case, and invalid UTF-8"},
	"github.com/getkin/kin-openapi":                 {testFiles: true, why: "writes and validates the document of the HTTP API"},
	"golang.org/x/time":                             {by: []string{"sandbox", "server"}, why: "token buckets against floods"},
	"github.com/prometheus/client_golang":           {by: []string{"server"}, why: "counts in the format that operators read"},
	"github.com/nlnwa/whatwg-url":                   {by: []string{"rules/rule", "firewall/browsermodel"}, testFiles: true, why: "reads a URL as a browser does"},
	"github.com/fsnotify/fsnotify":                  {by: []string{"vfs"}, why: "watches a live folder"},
	"mvdan.cc/sh/v3":                                {by: []string{"vfs"}, why: "what an ignore pattern matches"},
	"github.com/dustin/go-humanize":                 {by: []string{"cli"}, why: "sizes as people write and read them"},
	"github.com/alecthomas/kong":                    {by: []string{"cli"}, why: "flags are the command line's business"},
	"github.com/pkg/browser":                        {by: []string{"cli"}, why: "opens the host page for serve --open"},
	"github.com/playwright-community/playwright-go": {by: []string{"tests/address", "tests/attack", "tests/boot", "tests/compile", "tests/escape/chromium", "tests/files", "tests/internal/browser", "tests/internal/glass", "tests/library", "tests/load", "tests/mapping", "tests/mcp", "tests/npmpackage"}, why: "the product needs no browser driver"},
	"github.com/coder/websocket":                    {by: []string{"tests/internal/canary", "tests/internal/remote"}, why: "the product speaks server-sent events"},
	"github.com/vishvananda/netlink":                {by: []string{"tests/internal/netns"}, why: "sets up interfaces in a network namespace"},
	"github.com/modelcontextprotocol/go-sdk":        {by: []string{"examples/mcp-host", "examples/mcp-host/palette", "tests/internal/mcp", "tests/internal/mcpserver"}, why: "MCP clients and servers, in the example and for tests; the product relays what it does not read"},
	"github.com/google/go-cmp":                      {testFiles: true, why: "comparing is for tests"},
	"github.com/santhosh-tekuri/jsonschema/v6":      {by: []string{"btcp"}, testFiles: true, why: "validates the arguments of tools; and in tests policies by their schema, as an editor does"},
}

// forTestsOnly lists packages of the standard library that no production code may import.
var forTestsOnly = map[string]string{
	"testing":           "it registers flags, and it invites code that behaves differently under test",
	"testing/fstest":    "the same",
	"testing/iotest":    "the same",
	"testing/quick":     "the same",
	"testing/synctest":  "the same",
	"net/http/httptest": "a server for tests",
}

// keptOut lists packages of the standard library that single packages of ours must not import.
var keptOut = map[string]map[string]string{
	"sandbox": {"net/http": "what a sandbox is has no HTTP in it; server has"},
}
