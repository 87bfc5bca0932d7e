# What a shell reads first on a node (BASH_ENV), or inherits, may change its options and its commands as a login's environment does.
set +efuvxC
shopt -u failglob nullglob nocaseglob nocasematch dotglob
unset IFS CDPATH
for tao_name in $(compgen -A function 2> /dev/null); do
  ! (unset -f "$tao_name"; PATH=/usr/bin:/bin; type "$tao_name") > /dev/null 2>&1 || unset -f "$tao_name"
done
