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

	"github.com/pkg/browser"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
)

type serve struct {
	Dir               string `arg:"" optional:"" help:"Folder to run, watched for changes. Without it, an example runs."`
	Addr              string `help:"Address to listen on. A loopback address is opened for IPv4 and IPv6." default:"127.0.0.1:3333" placeholder:"HOST:PORT"`
	PublicURL         string `help:"Origin at which browsers find the host page, such as https://glass.example.com. Its scheme and port are those of all other origins. Default: localhost at the port of --addr." name:"public-url" placeholder:"ORIGIN"`
	TLSCert           string `help:"PEM file with the TLS certificate, and after it those that lead to the authority. It is read again when it changes." name:"tls-cert" placeholder:"FILE"`
	TLSKey            string `help:"PEM file with the certificate's key." name:"tls-key" placeholder:"FILE"`
	AllowSharedDomain bool   `help:"Serve although a page that embeds sandboxes has their registrable domain, so that their code can read and set its cookies."`
	AllowRemote       bool   `help:"Serve although --addr is not a loopback address. Any program that reaches it and sends a browser's headers then gets the ids, the tokens, and the workers' scripts and secrets."`

	Rules      string   `help:"Policy file, watched for changes. Without it, everything is blocked." placeholder:"FILE"`
	Entry      string   `help:"Path that the view opens." default:"/"`
	Fallback   string   `help:"File that answers navigations to paths without a file, such as /index.html for a single-page application." placeholder:"PATH"`
	Grant      []string `help:"Sandboxing flag or permission that the sandbox is granted, such as allow-modals or camera; the error for a wrong one lists them all." placeholder:"NAME"`
	Fresh      bool     `help:"Give the folder a new sandbox, without anything that its pages have stored. Otherwise it has the same one each time."`
	Open       bool     `help:"Open the host page in the default browser."`
	Embedder   []string `help:"Further origin whose pages may embed the sandbox." placeholder:"ORIGIN"`
	MCP        bool     `help:"Be a sandbox proxy of MCP Apps: pages of an --embedder may run an app in a new sandbox." name:"mcp"`
	MCPRules   string   `help:"Policy file that bounds every MCP App; it has to say ceiling: true. Implies --mcp." name:"mcp-rules" placeholder:"FILE"`
	MCPAddr    string   `help:"Further address for the sandbox proxy, for hosts that have one such as http://localhost:8081/sandbox.html in their code. It redirects to the proxy and answers nothing else. Implies --mcp." name:"mcp-addr" placeholder:"HOST:PORT"`
	MCPKey     string   `help:"File with the key from which the lasting origins of MCP Apps are derived; serve makes a missing one. Implies --mcp. Default: a file beside the ids of folders." name:"mcp-key" placeholder:"FILE"`
	MCPProfile string   `help:"Host whose ways MCP Apps meet: spec, chatgpt or claude. Implies --mcp. Default: spec." name:"mcp-profile" placeholder:"NAME"`
	BTCP       bool     `help:"Take calls of BTCP clients: pages of an --embedder may run tools in a new sandbox." name:"btcp"`
	BTCPRules  string   `help:"Policy file that bounds the capabilities of tools; it has to list eval under scripts. Implies --btcp. Without it, tools reach nothing." name:"btcp-rules" placeholder:"FILE"`
	InnerHost  string   `help:"Template of the sandboxes' host names. Default: {id}.sandbox.localhost, if the public URL is a name of this machine." placeholder:"TEMPLATE"`
	OuterHost  string   `help:"Host name of the outer frame. Default: sandbox.localhost, if the public URL is a name of this machine." placeholder:"HOST"`

	folderFlags

	Token []string `help:"Bearer token for the HTTP API below /api/v1, 16 characters at least. Other users of this machine can see a flag: set the environment variable. Without it, one is made and printed." placeholder:"TOKEN"`

	MetricsAddr string `help:"Further address that answers every request with the server's metrics." placeholder:"HOST:PORT"`
	NoSelftest  bool   `help:"Do not offer the self-test, which is otherwise there for browsers on this machine." name:"no-selftest"`

	MaxStreams     int `help:"How many streams may be open; each page that shows the sandbox has two." default:"256" placeholder:"N"`
	MaxConnections int `help:"How many connections may be open; beyond it the one that has waited longest is closed." default:"8192" placeholder:"N"`
	certificate    *server.Certificate

	MaxStoreBytes size `help:"How large the files of all sandboxes may be together in memory; beyond it a change is refused." default:"1GiB" placeholder:"SIZE"`
}

// Run serves until the program is told to end, and then as long as the server
// takes for an orderly end. Who tells it again ends it at once.
func (c *serve) Run(io streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// From then on a signal does what it does to any program.
	context.AfterFunc(ctx, stop)
	return c.run(ctx, io)
}

func (c *serve) run(ctx context.Context, io streams) (err error) {
	listeners, err := server.Listen(c.Addr)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	// Serve closes them; this is for what fails before.
	defer listeners.Close()
	proxy, err := c.listenProxy(listeners.Port())
	if err != nil {
		return err
	}
	defer proxy.Close()
	listeners.Add(proxy)
	if err := c.listenTLS(listeners, io.log); err != nil {
		return err
	}
	config := server.Config{
		PublicURL: cmp.Or(c.PublicURL, listeners.URL()), InnerHost: c.InnerHost, OuterHost: c.OuterHost, Embedders: c.Embedder,
		AllowRemote: c.AllowRemote, AllowSharedDomain: c.AllowSharedDomain,
		Tokens: c.Token, Version: version(), Log: io.log,
		Limits: server.Limits{Streams: c.MaxStreams, SandboxStreams: c.MaxStreams, Connections: c.MaxConnections, StoreBytes: int64(c.MaxStoreBytes)},
	}
	if c.MCP || c.MCPRules != "" || c.MCPAddr != "" || c.MCPKey != "" || c.MCPProfile != "" {
		config.MCPApps = &mcpapps.Options{Rules: filepath.ToSlash(c.MCPRules), Open: func(name string) ([]byte, error) { return os.ReadFile(filepath.FromSlash(name)) }}
		config.MCPApps.Profile = mcpapps.Profile(c.MCPProfile)
		config.MCPPort = proxy.Port()
		config.MCPKey, err = originKey(c.MCPKey)
		if errors.Is(err, errNotKept) {
			io.log.Warn("MCP Apps get a new origin for each view, although their hosts pass a domain; name a file with --mcp-key", "error", err)
		} else if err != nil {
			return err
		}
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
		io.log.Warn("other machines can reach this server, without TLS; any program that sends a browser's headers and knows a sandbox's id gets its token and its worker's secret", "addr", c.Addr)
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
	// The one sandbox lives as long as the program.
	spec := server.Spec{Name: "example", Files: source.files, Policy: source.policy, Entry: c.Entry, Fallback: c.Fallback, Keep: true}
	if c.Dir != "" {
		spec.Name = filepath.Base(c.Dir)
		spec.ID, err = sandboxID(c.Dir, c.Fresh)
		if errors.Is(err, errNotKept) {
			io.log.Warn("the folder gets a new sandbox each time, and its pages lose what they store; set XDG_STATE_HOME to a folder that can be written", "error", err)
		} else if err != nil {
			return err
		}
	}
	if text := noEntry(source.files, c.Entry, c.Fallback); text != "" {
		io.log.Warn("the view has nothing to show", "entry", c.Entry, "reason", text)
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

	stopMetrics, err := c.serveMetrics(srv, io.log)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	wait := source.watch(ctx, sandbox, func(err error) { cancel(err) })
	fmt.Fprintf(io.out, "Open %s\nsandbox    %s/\nouter      %s\n", c.link(srv), sandbox.URL(), sandbox.OuterURL())
	if len(c.Token) == 0 {
		fmt.Fprintf(io.out, "token      %s\n", srv.Token())
	}
	fmt.Fprintf(io.out, "library    %s\n", srv.LibraryURL())
	if address := srv.ProxyURL(); address != "" {
		fmt.Fprintf(io.out, "MCP Apps   %s\n", address)
		if port := proxy.Port(); port != 0 {
			fmt.Fprintf(io.out, "           %s/sandbox.html\n", proxy.URL())
		}
	}
	if address := srv.ToolsURL(); address != "" {
		fmt.Fprintf(io.out, "BTCP       %s\n", address)
	}
	if c.Open {
		if err := browser.OpenURL(srv.PublicURL() + "/"); err != nil {
			io.log.Warn("no browser could be opened; open the host page yourself", "error", err)
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

// listenProxy opens the port of the MCP Apps proxy. Without one there are no listeners.
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
