package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/pkg/browser"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/internal/version"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/packages"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
)

type serve struct {
	Dir        string   `arg:"" optional:"" help:"Folder to run. Open pages see its changes. Without it, an example runs."`
	Rules      string   `help:"Policy file. Its changes apply at once. Default: block everything." placeholder:"FILE"`
	Entry      string   `help:"Path that the view opens." default:"/" placeholder:"PATH"`
	Fallback   string   `help:"File for navigations to paths without a file, such as /index.html for a single-page app." placeholder:"PATH"`
	Grant      []string `help:"Sandboxing flag or permission to grant, such as allow-modals or camera. The error for an unknown one lists all." placeholder:"NAME"`
	Fresh      bool     `help:"Give the folder a new sandbox. Default: the same one each time, with everything that its pages have stored."`
	Open       bool     `help:"Open the host page in the default browser."`
	NoPackages bool     `help:"Reject requests that create a sandbox with packages. Default: fetch the packages, as bellglass add does." name:"no-packages"`
	NoLive     bool     `help:"Do not show changes by themselves in the host page. A reload shows them." name:"no-live"`

	folderFlags `group:"folder"`

	Addr              string `group:"address" help:"Address to listen on. A loopback address opens IPv4 and IPv6." default:"127.0.0.1:3333" placeholder:"HOST:PORT"`
	PublicURL         string `group:"address" help:"Origin at which browsers find the host page, such as https://glass.example.com. All other origins get its scheme and port. Default: localhost with the port of --addr." name:"public-url" placeholder:"ORIGIN"`
	OuterHost         string `group:"address" help:"Host name of the outer frame. Default for a name of this machine: sandbox.localhost." placeholder:"HOST"`
	InnerHost         string `group:"address" help:"Template of the sandboxes' host names. Default for a name of this machine: {id}.sandbox.localhost." placeholder:"TEMPLATE"`
	TLSCert           string `group:"address" help:"PEM file with the TLS certificate and its chain. It is read again when it changes." name:"tls-cert" placeholder:"FILE"`
	TLSKey            string `group:"address" help:"PEM file with the certificate's key." name:"tls-key" placeholder:"FILE"`
	AllowSharedDomain bool   `group:"address" help:"Serve even if a page that embeds sandboxes shares their registrable domain, so that sandboxed code can read and set its cookies."`
	AllowRemote       bool   `group:"address" help:"Serve even if other machines can reach --addr without TLS. Any program there that sends a browser's headers gets the ids, the tokens, and the workers' secrets."`

	Embedder []string `group:"access" help:"Further origin whose pages may embed sandboxes." placeholder:"ORIGIN"`
	Token    []string `group:"access" help:"Bearer token for the HTTP API below /api/v1, at least 16 characters. Other users of this machine can see a flag, so set $BELLGLASS_TOKEN instead. Default: a new token, which is printed." placeholder:"TOKEN"`

	MCP        bool   `group:"apps" help:"Be a sandbox proxy for MCP Apps: pages of an --embedder may run an app in a new sandbox." name:"mcp"`
	MCPRules   string `group:"apps" help:"Policy file that bounds every MCP App. It must have ceiling: true. Implies --mcp." name:"mcp-rules" placeholder:"FILE"`
	MCPAddr    string `group:"apps" help:"Further address that only redirects to the proxy, for hosts with a fixed one such as http://localhost:8081/sandbox.html. Implies --mcp." name:"mcp-addr" placeholder:"HOST:PORT"`
	MCPKey     string `group:"apps" help:"File with the key from which lasting origins of MCP Apps are derived. A missing file is created. Implies --mcp. Default: a file beside the ids of folders." name:"mcp-key" placeholder:"FILE"`
	MCPProfile string `group:"apps" help:"Host whose behavior MCP Apps meet: spec, chatgpt or claude. Implies --mcp. Default: spec." name:"mcp-profile" placeholder:"NAME"`
	BTCP       bool   `group:"apps" help:"Accept calls of BTCP clients: pages of an --embedder may run tools in a new sandbox." name:"btcp"`
	BTCPRules  string `group:"apps" help:"Policy file that bounds what tools reach. It must list eval under scripts. Implies --btcp. Default: tools reach nothing." name:"btcp-rules" placeholder:"FILE"`

	MetricsAddr      string        `group:"operation" help:"Further address that answers every request with the server's metrics." placeholder:"HOST:PORT"`
	NoSelftest       bool          `group:"operation" help:"Do not offer the self-test to browsers on this machine." name:"no-selftest"`
	MaxSandboxes     int           `group:"operation" help:"Limit on sandboxes. A new one beyond it removes the one that nobody has viewed for the longest time." default:"10000" placeholder:"N"`
	MaxIdle          time.Duration `group:"operation" help:"How long a sandbox stays that nobody views. The one of the folder always stays." default:"24h" placeholder:"TIME"`
	MaxExecutions    int           `group:"operation" help:"Limit on executions that wait or run in one sandbox." default:"256" placeholder:"N"`
	MaxExecutionTime time.Duration `group:"operation" help:"Longest timeout of an execution." default:"5m" placeholder:"TIME"`
	MaxStreams       int           `group:"operation" help:"Limit on open streams. Each page that shows a sandbox has two." default:"256" placeholder:"N"`
	MaxConnections   int           `group:"operation" help:"Limit on open connections. A new one beyond it closes the one that has waited longest." default:"8192" placeholder:"N"`
	MaxStoreBytes    size          `group:"operation" help:"Limit on the files of all sandboxes in memory. A change beyond it is rejected." default:"1GiB" placeholder:"SIZE"`
	MaxLogBytes      size          `group:"operation" help:"Limit on the logs of all sandboxes in memory. Beyond it, the longest logs lose their oldest events." default:"256MiB" placeholder:"SIZE"`

	certificate *server.Certificate
}

// Run serves until a signal ends the program, and then until the server has shut down
// in order. A second signal ends the program at once.
func (c *serve) Run(std streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// From now on a signal has its default effect.
	context.AfterFunc(ctx, stop)
	return c.run(ctx, std)
}

func (c *serve) run(ctx context.Context, std streams) (err error) {
	listeners, err := server.Listen(c.Addr)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	// Serve closes them. This is for failures before that.
	defer listeners.Close()
	proxy, err := c.listenProxy(listeners.Port())
	if err != nil {
		return err
	}
	defer proxy.Close()
	listeners.Add(proxy)
	if err := c.listenTLS(listeners, std.log); err != nil {
		return err
	}
	config := server.Config{
		PublicURL: cmp.Or(c.PublicURL, listeners.URL()), InnerHost: c.InnerHost, OuterHost: c.OuterHost, Embedders: c.Embedder,
		AllowRemote: c.AllowRemote, AllowSharedDomain: c.AllowSharedDomain,
		Tokens: c.Token, Version: version.Of(), Log: std.log, Live: !c.NoLive,
		Limits: server.Limits{
			Limits: server.SandboxLimits{
				Sandboxes: c.MaxSandboxes, Idle: c.MaxIdle, Executions: c.MaxExecutions, ExecutionTime: c.MaxExecutionTime,
				StoreBytes: int64(c.MaxStoreBytes), LogBytes: int64(c.MaxLogBytes),
			},
			Streams: c.MaxStreams, SandboxStreams: c.MaxStreams, Connections: c.MaxConnections,
		},
	}
	if c.MCP || c.MCPRules != "" || c.MCPAddr != "" || c.MCPKey != "" || c.MCPProfile != "" {
		config.MCPApps = &mcpapps.Options{Rules: filepath.ToSlash(c.MCPRules), Open: func(name string) ([]byte, error) { return os.ReadFile(filepath.FromSlash(name)) }}
		config.MCPApps.Profile = mcpapps.Profile(c.MCPProfile)
		config.MCPPort = proxy.Port()
		config.MCPKey, err = originKey(c.MCPKey)
		if errors.Is(err, errNotKept) {
			std.log.Warn("MCP Apps get a new origin for each view, although their hosts pass a domain; name a file with --mcp-key", "error", err)
		} else if err != nil {
			return err
		}
	}
	if !c.NoPackages {
		config.Packages = &packages.Options{}
	}
	if c.BTCP || c.BTCPRules != "" {
		config.BTCP = &btcp.Options{}
		if c.BTCPRules != "" {
			open := func(name string) ([]byte, error) { return os.ReadFile(filepath.FromSlash(name)) }
			if config.BTCP.Policy, err = rules.Load(filepath.ToSlash(c.BTCPRules), open); err != nil {
				return err
			}
		}
	}
	if err := config.CheckRemote(listeners); err != nil {
		return err
	}
	if c.AllowRemote && !listeners.Loopback() {
		std.log.Warn("other machines can reach this server, without TLS; any program that sends a browser's headers and knows a sandbox's id gets its token and its worker's secret", "addr", c.Addr)
	}
	if err := c.checkCertificate(config); err != nil {
		return err
	}
	config.SelfTest = !c.NoSelftest && listeners.Loopback() && config.OffersSelfTest()
	srv, err := server.New(config)
	if err != nil {
		return err
	}
	source, err := openSource(c.Dir, c.Rules, srv.Store(), c.folderFlags)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.close()) }()
	// The only sandbox lives as long as the program.
	spec := server.Spec{Name: "example", Files: source.files, Packages: source.packages, Policy: source.policy, Entry: c.Entry, Fallback: c.Fallback, Keep: true}
	if c.Dir != "" {
		spec.Name = filepath.Base(c.Dir)
		spec.ID, err = sandboxID(c.Dir, c.Fresh)
		if errors.Is(err, errNotKept) {
			std.log.Warn("the folder gets a new sandbox each time, and its pages lose what they store; set XDG_STATE_HOME to a writable folder", "error", err)
		} else if err != nil {
			return err
		}
	}
	entry := entryOf(source.files, c.Entry, c.Fallback)
	if entry == "" {
		std.log.Warn("the view has nothing to show", "entry", c.Entry, "reason", noEntry(source.files, c.Entry))
	}
	for _, name := range c.Grant {
		if strings.HasPrefix(name, "allow-") {
			spec.Flags = append(spec.Flags, name)
		} else {
			spec.Permissions = append(spec.Permissions, name)
		}
	}
	sandbox, err := srv.Create(spec)
	if err != nil {
		return err
	}

	stopMetrics, err := c.serveMetrics(srv, std.log)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	wait := source.watch(ctx, sandbox, func(err error) { cancel(err) })
	fmt.Fprintf(std.out, "Open %s\nsandbox    %s/\nouter      %s\n", c.link(srv), sandbox.URL(), sandbox.OuterURL())
	if len(c.Token) == 0 {
		fmt.Fprintf(std.out, "token      %s\n", srv.Token())
	}
	fmt.Fprintf(std.out, "library    %s\n", srv.LibraryURL())
	if address := srv.ProxyURL(); address != "" {
		fmt.Fprintf(std.out, "MCP Apps   %s\n", address)
		if port := proxy.Port(); port != 0 {
			fmt.Fprintf(std.out, "           %s/sandbox.html\n", proxy.URL())
		}
	}
	if address := srv.ToolsURL(); address != "" {
		fmt.Fprintf(std.out, "BTCP       %s\n", address)
	}
	if source.folder != nil {
		fmt.Fprintf(std.out, "folder     %s%s\n", found(source.files, entry), foundPackages(source.packages))
	}
	if c.Open {
		if err := browser.OpenURL(srv.PublicURL() + "/"); err != nil {
			std.log.Warn("no browser could be opened; open the host page yourself", "error", err)
		}
	}
	err = errors.Join(srv.Serve(ctx, listeners), stopMetrics())
	if err == nil && !errors.Is(context.Cause(ctx), context.Canceled) {
		err = context.Cause(ctx)
	}
	cancel(nil)
	wait()
	return err
}

// listenProxy opens the port of the MCP Apps proxy. If no port is configured, the
// result has no listeners.
func (c *serve) listenProxy(port int) (*server.Listeners, error) {
	if c.MCPAddr == "" {
		return &server.Listeners{}, nil
	}
	if _, own, err := net.SplitHostPort(c.MCPAddr); err == nil && own == strconv.Itoa(port) {
		return nil, fmt.Errorf("--mcp-addr %s has the port of --addr; choose another one", c.MCPAddr)
	}
	listeners, err := server.Listen(c.MCPAddr)
	if err != nil {
		return nil, fmt.Errorf("--mcp-addr: %w", err)
	}
	if !listeners.Loopback() {
		return nil, errors.Join(fmt.Errorf("--mcp-addr %s is not a loopback address; the proxy's port is for hosts on this machine", c.MCPAddr), listeners.Close())
	}
	return listeners, nil
}
