# The formula for Homebrew, for a tap of one's own.
class Stint < Formula
  desc "Kubernetes Jobs without the cluster"
  homepage "https://stint.dev"
  version "@version@"
  license "Apache-2.0"

  on_linux do
    on_intel do
      url "@address@/stint-@version@-linux-x64.tar.gz"
      sha256 "@sha256@"
    end
  end

  depends_on :linux

  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"bin/stint"
    man1.install_symlink libexec/"share/man/man1/stint.1"
    bash_completion.install_symlink libexec/"share/bash-completion/completions/stint"
    zsh_completion.install_symlink libexec/"share/zsh/site-functions/_stint"
    fish_completion.install_symlink libexec/"share/fish/vendor_completions.d/stint.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/stint version")
  end
end
