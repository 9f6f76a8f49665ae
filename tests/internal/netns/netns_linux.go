package netns

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
)

const isolated = "isolated"

// Isolated returns nil in a separate network, and otherwise why there is none.
func Isolated() error {
	switch state := os.Getenv(marker); state {
	case isolated:
		return nil
	case "":
		return errors.New("netns.Run has not been called")
	default:
		return errors.New(state)
	}
}

// Run runs the tests in a separate network, and returns the exit status.
func Run(m *testing.M) int {
	if os.Getenv(marker) == isolated {
		if err := enter(); err != nil {
			fmt.Fprintln(os.Stderr, "netns: setting up the network:", err)
			return 1
		}
		return m.Run()
	}
	code, err := again()
	if err == nil {
		return code
	}
	os.Setenv(marker, fmt.Sprintf("no network namespace can be had here (%v)", err))
	return m.Run()
}

// again runs this binary again in new namespaces. It fails only if the kernel does not
// create them.
func again() (int, error) {
	// The kernel kills the child when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	child := exec.Command("/proc/self/exe", os.Args[1:]...)
	child.Env = append(os.Environ(), marker+"="+isolated)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS,
		Pdeathsig:  syscall.SIGKILL,
	}
	if os.Geteuid() != 0 {
		child.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		child.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		child.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	if err := child.Start(); err != nil {
		return 0, err
	}
	// go test ends a test that takes too long by a signal to this process.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		for s := range signals {
			child.Process.Signal(s)
		}
	}()
	err := child.Wait()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return max(failed.ExitCode(), 1), nil
	}
	return 0, err
}

// enter makes the new namespaces usable.
func enter() error {
	for _, set := range []func() error{links, names} {
		if err := set(); err != nil {
			return err
		}
	}
	return nil
}

// links brings up the loopback interface, and creates a pair of interfaces whose far
// end answers nobody.
func links() error {
	lo, err := netlink.LinkByName("lo")
	if err != nil {
		return fmt.Errorf("the loopback interface: %w", err)
	}
	if err := netlink.LinkSetUp(lo); err != nil {
		return fmt.Errorf("bringing lo up: %w", err)
	}
	near := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: "near"}, PeerName: "far"}
	if err := netlink.LinkAdd(near); err != nil {
		return fmt.Errorf("making a pair of interfaces: %w", err)
	}
	far, err := netlink.LinkByName("far")
	if err != nil {
		return err
	}
	address, err := netlink.ParseAddr(Outside + "/24")
	if err != nil {
		return err
	}
	if err := netlink.AddrAdd(near, address); err != nil {
		return fmt.Errorf("giving an interface an address: %w", err)
	}
	for _, end := range []netlink.Link{near, far} {
		// An IPv6 address would be assigned a second later, and Chromium would then
		// abort the requests in progress (net::ERR_NETWORK_CHANGED).
		if err := netlink.LinkSetIP6AddrGenMode(end, nl.IN6_ADDR_GEN_MODE_NONE); err != nil {
			return fmt.Errorf("keeping an interface from making an address: %w", err)
		}
		if err := netlink.LinkSetUp(end); err != nil {
			return err
		}
	}
	everywhere := &net.IPNet{IP: net.IPv4zero, Mask: net.CIDRMask(0, 32)}
	return netlink.RouteAdd(&netlink.Route{LinkIndex: near.Attrs().Index, Dst: everywhere})
}

// names makes Resolver the only name server. Other ways to resolve (through a socket, a
// cache daemon) would lead out of the namespace.
func names() error {
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keeping mounts to this namespace: %w", err)
	}
	dir, err := os.MkdirTemp("", "bellglass-netns-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for path, text := range map[string]string{
		"/etc/resolv.conf":   "nameserver 127.0.0.53\noptions timeout:5 attempts:1\n",
		"/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
		"/etc/hosts":         "127.0.0.1 localhost\n::1 localhost\n",
	} {
		own := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(own, []byte(text), 0o644); err != nil {
			return err
		}
		if err := syscall.Mount(own, path, "", syscall.MS_BIND, ""); err != nil {
			return fmt.Errorf("putting %s in place: %w", path, err)
		}
	}
	for _, socket := range []string{"/run/nscd", "/run/systemd/resolve"} {
		if _, err := os.Stat(socket); err != nil {
			continue
		}
		if err := syscall.Mount("tmpfs", socket, "tmpfs", 0, ""); err != nil {
			return fmt.Errorf("hiding %s: %w", socket, err)
		}
	}
	return nil
}
